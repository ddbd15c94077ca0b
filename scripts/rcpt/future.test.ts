import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Rcpt } from '../../schema/client/index.ts';
import { hurried } from '../../schema/client/testing/scripted-service.ts';
import { openList } from '../../schema/lists/reading/list.ts';
import { tableOf } from '../../schema/lists/reading/table.ts';
import { sourceOf } from '../../schema/lists/testing/source.ts';
import { runs } from '../../schema/testing/fuzz.ts';
import { FutureService, futureResult } from '../../schema/testing/future-service.ts';
import { mcpServer } from './mcp/server.ts';
import { newFolder, rcpt } from './testing/command.ts';

// The command and its MCP server, a year old, with a newer service.

let folder: string;
let service: FutureService;
beforeEach(async () => {
  folder = await newFolder();
  service = new FutureService();
  await writeFile(join(folder, 'list.csv'), 'email\na@x.test\nb@x.test\nc@y.test\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const verify = (...args: readonly string[]) =>
  rcpt(service, folder, ['verify', join(folder, 'list.csv'), '-o', join(folder, 'out.csv'), ...args]);

test('rcpt verify writes the new words, counts them, and pays once', async () => {
  const { code, err } = await verify();
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringMatching(/dormant 3\.\n3 credits charged/),
  });
  expect(service.requests).toEqual([['a@x.test', 'b@x.test', 'c@y.test']]);
  const [head, ...rows] = (await readFile(join(folder, 'out.csv'), 'utf8')).trimEnd().split('\n');
  expect(head).toMatch(/,rcpt_asked$/);
  expect(rows).toHaveLength(3);
  for (const row of rows) expect(row).toMatch(/,dormant,45,forwarded,not_yet_known,.*,1$/);
});

const again = (only: string) =>
  rcpt(service, folder, ['verify', join(folder, 'out.csv'), '--only', only, '-o', join(folder, `${only}.csv`)]);

test('rows with a new status can be asked again, and no result of the list has a mistyped one', async () => {
  await verify();
  expect(await again('dormant,valid')).toMatchObject({ code: 0, err: expect.stringContaining('at most 3 credits') });
  expect(await again('domrant')).toMatchObject({ code: 2, err: expect.stringContaining('domrant') });
});

test('a new error code ends the command with the words of the service', async () => {
  service.isPaused = true;
  expect(await verify()).toMatchObject({ code: 4, err: expect.stringContaining('The account is paused') });
});

test('the MCP server passes on the new words and fields', async () => {
  const assistant = new Client({ name: 'test', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const means = { fetch: service.fetch, clock: hurried(), timeoutMs: 86_400_000 };
  const client = new Rcpt({ apiKey: 'svc_live_test', baseURL: 'https://verify.example.test', ...means });
  await mcpServer(client, 10, '1').connect(there);
  await assistant.connect(here);
  const emails = ['a@x.test', 'b@x.test', 'c@y.test'];
  const { structuredContent } = await assistant.callTool({ name: 'verify', arguments: { emails } });
  expect(structuredContent).toEqual({
    verdicts: { valid: 0, risky: 0, invalid: 0, unknown: 0, dormant: 3 },
    results: emails.map((email) => futureResult(email)),
    charged: 3,
    sessionCreditsLeft: 7,
  });
  expect(service.requests).toEqual([emails]);
  await assistant.close();
});

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
const word = text.filter((one) => /^(?=.*\S)\P{Cc}+$/u.test(one));
type Said = typeof said extends fc.Arbitrary<infer One> ? One : never;
const said = fc.record({
  status: word,
  reason: fc.oneof(word, fc.constantFrom('constructor', '__proto__', 'exists', 'refused')),
  more: fc.dictionary(fc.oneof(text, fc.constantFrom('__proto__', 'asked', 'email2')), fc.jsonValue(), { maxKeys: 25 }),
});

test.each(['csv', 'tsv', 'jsonl', 'xlsx'])(
  'no row is lost in %s to unknown words or fields, and each has its status',
  async (format) => {
    const run = async (results: readonly Said[]): Promise<void> => {
      const emails = results.map((_, n) => `a${n}@x.test`);
      const lines = results.map(({ more, ...words }, index) => {
        const { index: _index, ...rest } = more;
        return { ...rest, ...futureResult(emails[index] ?? ''), ...words, index };
      });
      const bill = { done: true, charged: emails.length, returned: 0 };
      const newer = [...lines, bill].map((line) => `${JSON.stringify(line)}\n`).join('');
      const fetch = async (url: Parameters<typeof globalThis.fetch>[0]): Promise<Response> =>
        new Request(url).url.endsWith('/credits')
          ? Response.json({ credits: 1_000 })
          : new Response(newer, { headers: { 'content-type': 'application/x-ndjson' } });
      await writeFile(join(folder, 'list.csv'), `email\n${emails.join('\n')}\n`);
      const out = join(folder, `out.${format}`);
      const ended = await rcpt({ fetch }, folder, ['verify', join(folder, 'list.csv'), '-o', out, '--force']);
      expect(ended).toMatchObject({ code: 0 });
      const bytes = await readFile(out);
      const reading = { encoding: null, delimiter: null, sheet: null, rowsMax: Infinity };
      const table = await tableOf(await openList(sourceOf(bytes), { ...reading, format: null }), true);
      const rows = [];
      for await (const batch of table.rows()) rows.push(...batch.map(({ cells }) => cells));
      const [email, status] = ['email', 'rcpt_status'].map((name) => table.names.indexOf(name));
      expect(rows.map((cells) => cells[email ?? -1])).toEqual(emails);
      // A cell that a spreadsheet would run has an apostrophe in front.
      expect(rows.map((cells) => cells[status ?? -1]?.replace(/^'(?=.)/, ''))).toEqual(
        results.map(({ status: told }) => told.replace(/^'(?=.)/, '')),
      );
    };
    await fc.assert(fc.asyncProperty(fc.array(said, { minLength: 1, maxLength: 3 }), run), { numRuns: runs(30) });
  },
);
