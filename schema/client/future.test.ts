import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { FutureService, futureResult } from '../testing/future-service.ts';
import { memoryJournal, Rcpt, type Journal } from './index.ts';
import { fileJournal } from './node/file-journal.ts';
import { hurried } from './testing/scripted-service.ts';

// A client that is a year old meets a newer service: it keeps what it does not know, passes it on, and pays once.

const LIST = ['a@x.test', 'b@x.test', 'c@y.test'];

let service: FutureService;
let client: Rcpt;
beforeEach(() => {
  service = new FutureService();
  const means = { fetch: service.fetch, clock: hurried(), timeoutMs: 86_400_000 };
  client = new Rcpt({ apiKey: 'svc_live_test', baseURL: 'https://verify.example.test', ...means });
});

test('a list is one call that is paid once, with every new word, field and line passed on', async () => {
  const lines: unknown[] = [];
  const run = client.verifyAll(LIST, { ordered: true, onOtherLine: (line) => lines.push(line) });
  const got: unknown[] = [];
  for await (const { result } of run) got.push(result);
  expect(got).toEqual(LIST.map((email) => futureResult(email)));
  expect(lines).toEqual([{ kind: 'progress', asking: 3 }]);
  expect(service.requests).toEqual([LIST]);
  expect(run.tally).toMatchObject({ requests: 1, charged: 3, unsure: 0, strayLines: 0, answered: 3 });
});

async function resumed(journal: () => Journal): Promise<unknown> {
  await client.verify(LIST, { journal: journal() });
  return client.verify(LIST, { journal: journal() });
}

test('a journal, in memory or in a file, keeps the new words and fields for the next run, which asks nothing', async () => {
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

test('an error code that is new is kept, and its status says whether to ask again', async () => {
  service.isPaused = true;
  await expect(client.verify(LIST)).rejects.toMatchObject({
    code: 'ACCOUNT_PAUSED',
    status: 402,
    retryable: false,
    message: 'The account is paused.',
  });
  await expect(client.credits()).rejects.toMatchObject({ code: 'ACCOUNT_PAUSED' });
});

test('what the caller throws at a new line ends the run, after what is known was given', async () => {
  const asked = client.verify(LIST, {
    onOtherLine: () => {
      throw new RangeError('no lines');
    },
  });
  await expect(asked).rejects.toThrow('no lines');
});
