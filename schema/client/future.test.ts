import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { FIELDS, type FieldName } from '../words/fields.ts';
import { namesOf } from '../words/open.ts';
import { FutureService, futureResult } from '../testing/future-service.ts';
import { Rcpt, type Journal } from './index.ts';
import { memoryJournal } from './testing/memory-journal.ts';
import { fileJournal } from './node/file-journal.ts';
import { clientOf, hurried, linesResponse, resultOf, ScriptedService } from './testing/scripted-service.ts';

// A client that is a year old meets a newer service: it keeps what it does not know, passes it on, and pays once.

const LIST = ['a@x.test', 'b@x.test', 'c@y.test'];

let service: FutureService;
let client: Rcpt;
beforeEach(() => {
  service = new FutureService();
  const means = { fetch: service.fetch, clock: hurried(), timeoutMs: 86_400_000 };
  client = new Rcpt({ apiKey: 'svc_live_test', baseURL: 'https://verify.example.test', ...means });
});

test('a list is paid once, and every new word and field is passed on', async () => {
  const run = client.verifyAll(LIST);
  const got: unknown[] = [];
  for await (const { result } of run) got.push(result);
  expect(got).toEqual(LIST.map((email) => futureResult(email)));
  expect(service.requests).toEqual([LIST]);
  expect(run.tally).toMatchObject({ requests: 1, charged: 3, unconfirmed: 0, answered: 3 });
});

async function resumed(journal: () => Journal): Promise<unknown> {
  await client.verify(LIST, { journal: journal() });
  return client.verify(LIST, { journal: journal() });
}

test('a journal keeps new words and fields for the next run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-future-'));
  const kept = memoryJournal();
  try {
    for (const journal of [() => kept, () => fileJournal(join(folder, 'journal'))]) {
      service.requests.length = 0;
      expect(await resumed(journal)).toEqual(LIST.map((email) => futureResult(email)));
      expect(service.requests).toEqual([LIST]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

function answerWith(result: object): Response {
  return linesResponse([`${JSON.stringify({ index: 0, ...result })}\n{"done":true,"charged":1,"returned":0}\n`]);
}

const without = (field: FieldName): object =>
  Object.fromEntries(Object.entries(resultOf('a@x.test')).filter(([name]) => name !== field));
const ALL = namesOf(FIELDS);

test.each(ALL.filter((name) => !FIELDS[name].nullable && name !== 'email'))(
  'a result without %s, which it always has, is ignored',
  async (field) => {
    const scripted = new ScriptedService();
    scripted.answers = () => answerWith(without(field));
    await expect(clientOf(scripted).verify(['a@x.test'])).rejects.toMatchObject({ code: 'INCOMPLETE' });
  },
);

test.each(ALL.filter((name) => FIELDS[name].nullable))(
  'a service or a journal older than %s reads as one that says null, and nothing is asked again',
  async (field) => {
    const scripted = new ScriptedService();
    scripted.answers = () => answerWith(without(field));
    const expected = [{ ...resultOf('a@x.test'), [field]: null }];
    expect(await clientOf(scripted).verify(['a@x.test'])).toEqual(expected);
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-past-'));
    try {
      const path = join(folder, 'journal');
      const record = { index: 0, asked: 1, atMs: 1, result: without(field) };
      const head = { rcpt: 'journal', version: 1, fingerprint: null };
      await writeFile(path, `${JSON.stringify(head)}\n${JSON.stringify(record)}\n`);
      expect(await clientOf(scripted).verify(['a@x.test'], { journal: fileJournal(path) })).toEqual(expected);
      expect(scripted.requests).toHaveLength(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

test.each(['did_you_mean', 'smtp_enhanced_code', 'mx_records'])(
  'a result with control characters, which a terminal obeys, in %s is ignored',
  async (field) => {
    for (const text of ['\u001b[2Ja@x.test', 'a\u009b2J', 'a\r']) {
      const scripted = new ScriptedService();
      const result = { ...resultOf('a@x.test'), [field]: field === 'mx_records' ? [text] : text };
      scripted.answers = () => answerWith(result);
      await expect(clientOf(scripted).verify(['a@x.test'])).rejects.toMatchObject({ code: 'INCOMPLETE' });
    }
  },
);

const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((text) => /^(?=.*\S)\P{Cc}+$/u.test(text));
const OURS = new Set([...Object.keys(FIELDS), 'index', 'done']);
const newFields = fc.dictionary(
  fc.string().filter((name) => !OURS.has(name)),
  fc.jsonValue(),
  { maxKeys: 4 },
);
const newLine = fc.dictionary(
  fc.string().filter((name) => name !== 'index' && name !== 'done'),
  fc.jsonValue(),
);

test('unknown words, fields, lines and headers leave each entry its own result, paid once', async () => {
  const said = fc.record({ result: word, status: word, reason: word, fields: newFields });
  await fc.assert(
    fc.asyncProperty(
      fc.array(said, { minLength: 1, maxLength: 4 }),
      fc.array(newLine, { maxLength: 3 }),
      async (all, more) => {
        const list = all.map((_, n) => `a${n}@x.test`);
        const results = all.map(({ fields, ...words }, n) => ({ ...resultOf(`a${n}@x.test`), ...words, ...fields }));
        const lines = [
          ...more,
          ...results.map((result, index) => ({ index, ...result })).toReversed(),
          { ...more[0], done: true, charged: list.length, returned: 0 },
        ];
        const scripted = new ScriptedService();
        scripted.answers = () =>
          linesResponse([lines.map((line) => `${JSON.stringify(line)}\n`).join('')], 'closed', { 'x-new': 'yes' });
        expect(await clientOf(scripted).verify(list)).toEqual(JSON.parse(JSON.stringify(results)));
        expect(scripted.requests).toHaveLength(1);
      },
    ),
  );
});

test('an unknown error code is kept, and a possible gateway error is retried under the same key', async () => {
  for (const status of [409, 423, 451]) {
    const scripted = new ScriptedService();
    scripted.answers = () => Response.json({ error: 'Not now.', code: 'LIST_LOCKED' }, { status });
    await expect(clientOf(scripted).verify(LIST)).rejects.toMatchObject({ code: 'LIST_LOCKED', status });
    expect(scripted.requests).toHaveLength(1);
  }
  const scripted = new ScriptedService();
  // It was charged, and the answer was lost on its way.
  scripted.answers = (asked) => {
    if (asked.repeats > 0) return null;
    scripted.lines(asked);
    return Response.json({ error: 'Late.', code: 'UPSTREAM_GONE' }, { status: 504 });
  };
  expect(await clientOf(scripted).verify(LIST)).toHaveLength(3);
  expect([new Set(scripted.requests.map(({ key }) => key)).size, scripted.charged]).toEqual([1, 3]);
});
