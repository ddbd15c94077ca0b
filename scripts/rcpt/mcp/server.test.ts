import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  clientOf,
  failureResponse,
  linesResponse,
  ScriptedService,
} from '../../../schema/client/testing/scripted-service.ts';
import { ManualClock } from '../../../schema/client/testing/manual-clock.ts';
import { mcpServer } from './server.ts';

let service: ScriptedService;
let assistant: Client;
let clock: ManualClock;
beforeEach(async () => {
  service = new ScriptedService();
  assistant = new Client({ name: 'test', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  clock = new ManualClock();
  await mcpServer(clientOf(service, { maxRetries: 1 }), 100, '1', clock).connect(there);
  await assistant.connect(here);
});
afterEach(() => assistant.close());

async function verify(...emails: readonly string[]) {
  const {
    isError = false,
    structuredContent,
    content,
  } = await assistant.callTool({ name: 'verify', arguments: { emails } });
  return { isError, structuredContent, text: JSON.stringify(content) };
}

const left = async () => (await assistant.callTool({ name: 'credits', arguments: {} })).structuredContent;

test('results come in the order of the addresses, even if a newer service adds more', async () => {
  service.says = () => Object.assign({}, { score: 90, colour: 'blue' });
  const { structuredContent } = await verify('B@x.test', 'a@x.test');
  expect(structuredContent).toMatchObject({
    results: [{ email: 'b@x.test', colour: 'blue' }, { email: 'a@x.test' }],
    charged: 2,
    sessionCreditsLeft: 98,
  });
});

test('what was answered before a call failed was paid for, so it is given', async () => {
  service.answers = (asked, nth) => {
    if (nth > 0) return failureResponse(500, 'INTERNAL_ERROR');
    return linesResponse([`${service.lines(asked)[0]}\n`], 'broken');
  };
  const { isError, text } = await verify('a@x.test', 'b@x.test', 'c@x.test');
  expect(isError).toBe(true);
  expect(text).toContain('Answered before that');
  expect(text).toMatch(/a@x\.test/);
  expect(text).not.toMatch(/b@x\.test/);
  // It may have cost three: the end of the answer was lost.
  expect(await left()).toMatchObject({ sessionCreditsLeft: 97 });
});

test.each([
  [401, 'UNAUTHORIZED', /run rcpt login/],
  [402, 'NO_CREDITS', /Buy credits/],
])('a refusal with %d costs nothing and says what to do', async (status, code, words) => {
  service.answers = () => failureResponse(status, code);
  const { isError, text } = await verify('a@x.test');
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(words) });
  expect(await left()).toMatchObject({ sessionCreditsLeft: 100 });
});

test('a list that is dearer than the session is not asked for', async () => {
  const { isError, text } = await verify(...Array.from({ length: 101 }, (_, n) => `a${n}@x.test`));
  expect({ isError, text }).toEqual({
    isError: true,
    text: expect.stringMatching(/may cost 101 credits.*may spend 100 more/),
  });
  expect(service.requests).toEqual([]);
});

const more = (cursor: unknown) => assistant.callTool({ name: 'results', arguments: { cursor } });

test('a long list comes as a summary and pages, in its order, each small enough to be read', async () => {
  const emails = Array.from({ length: 60 }, (_, n) => `a${n}@d${n % 7}.test`);
  const first = await verify(...emails);
  expect(first.structuredContent).toMatchObject({ isDone: true, answered: 60, charged: 60, nextCursor: '1-25' });
  expect(JSON.stringify(first).length).toBeLessThan(30_000);
  const second = await more('1-25');
  const third = await more('1-50');
  const pages = [first, second, third].map(({ structuredContent }) => Object(structuredContent).results);
  expect(pages.map((page) => page.length)).toEqual([25, 25, 10]);
  expect(pages.flat().map(({ email }: { email: string }) => email)).toEqual(emails);
  expect(third.structuredContent).toMatchObject({ nextCursor: null });
  expect(service.charged).toBe(60);
  expect(await more('9-0')).toMatchObject({ isError: true });
  expect(await more('x')).toMatchObject({ isError: true });
});

test('a call that takes longer than an assistant waits ends with what is known, and the list goes on', async () => {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  service.answers = async (asked) => {
    begun.resolve();
    await gate.promise;
    return service.answer(asked);
  };
  const call = verify('a@x.test', 'b@x.test');
  await begun.promise;
  clock.advance(45_000);
  expect((await call).structuredContent).toMatchObject({ isDone: false, answered: 0, results: [], nextCursor: '1-0' });
  expect(await left()).toMatchObject({ sessionCreditsLeft: 98 });
  const rest = more('1-0');
  gate.resolve();
  expect((await rest).structuredContent).toMatchObject({ isDone: true, answered: 2, charged: 2, nextCursor: null });
  expect(service.requests).toHaveLength(1);
});

test('a list whose assistant has gone is stopped', async () => {
  const stopped = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  service.answers = (_asked, _nth, signal) => {
    signal.addEventListener('abort', () => stopped.resolve());
    begun.resolve();
    return new Promise(() => {});
  };
  const call = verify('a@x.test').catch(() => null);
  await begun.promise;
  await assistant.close();
  await stopped.promise;
  await call;
});
