import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Rcpt } from '../../schema/client/index.ts';
import { hurried } from '../../schema/client/testing/scripted-service.ts';
import { FutureService, futureResult } from '../../schema/testing/future-service.ts';
import { mcpServer } from './mcp/server.ts';
import { newFolder, rcpt } from './testing/command.ts';

// The command and its MCP server, a year old, with a newer service: what they do not know goes through them.

let folder: string;
let service: FutureService;
beforeEach(async () => {
  folder = await newFolder();
  service = new FutureService();
  await writeFile(join(folder, 'list.csv'), 'email\na@x.test\nb@x.test\nc@y.test\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const verify = (...args: readonly string[]) =>
  rcpt(service, folder, ['verify', join(folder, 'list.csv'), '-o', join(folder, 'out.csv'), '--yes', ...args]);

test('rcpt verify writes the new words, counts them, and pays once', async () => {
  const { code, err } = await verify();
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringMatching(/dormant 3\.\n3 credits charged.*\n.*sent 1 line of a kind newer than this command/),
  });
  expect(service.requests).toEqual([['a@x.test', 'b@x.test', 'c@y.test']]);
  const [, ...rows] = (await readFile(join(folder, 'out.csv'), 'utf8')).trimEnd().split('\n');
  expect(rows).toHaveLength(3);
  for (const row of rows) expect(row).toMatch(/,dormant,45,forwarded,not_yet_known,/);
});

test('rcpt verify --json tells a program of the new lines as they are', async () => {
  const { code, out } = await verify('--json');
  const events = out
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(code).toBe(0);
  expect(events).toContainEqual({ event: 'line', line: { kind: 'progress', asking: 3 } });
  expect(events).toContainEqual(expect.objectContaining({ verdicts: expect.objectContaining({ dormant: 3 }) }));
});

test('a new error code ends the command with the words of the service', async () => {
  service.isPaused = true;
  expect(await verify()).toMatchObject({ code: 4, err: expect.stringContaining('The account is paused') });
});

test('the MCP server passes on the new words, fields and lines', async () => {
  const assistant = new Client({ name: 'test', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const means = { fetch: service.fetch, clock: hurried(), timeoutMs: 86_400_000 };
  const client = new Rcpt({ apiKey: 'svc_live_test', baseURL: 'https://verify.example.test', ...means });
  await mcpServer(client, 10, '1').connect(there);
  await assistant.connect(here);
  const emails = ['a@x.test', 'b@x.test', 'c@y.test'];
  const { structuredContent } = await assistant.callTool({ name: 'verify', arguments: { emails } });
  expect(structuredContent).toEqual({
    isDone: true,
    answered: 3,
    verdicts: { valid: 0, risky: 0, invalid: 0, unknown: 0, dormant: 3 },
    results: emails.map((email) => futureResult(email)),
    nextCursor: null,
    charged: 3,
    sessionCreditsLeft: 7,
    otherLines: [{ kind: 'progress', asking: 3 }],
  });
  expect(service.requests).toEqual([emails]);
  await assistant.close();
});
