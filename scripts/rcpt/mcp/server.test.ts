import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  clientOf,
  failureResponse,
  linesResponse,
  ScriptedService,
} from '../../../schema/client/testing/scripted-service.ts';
import { mcpServer } from './server.ts';

let service: ScriptedService;
let assistant: Client;
beforeEach(async () => {
  service = new ScriptedService();
  assistant = new Client({ name: 'test', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await mcpServer(clientOf(service, { maxRetries: 1 }), 10, '1').connect(there);
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
    sessionCreditsLeft: 8,
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
  expect(await left()).toMatchObject({ sessionCreditsLeft: 7 });
});

test.each([
  [401, 'UNAUTHORIZED', /run rcpt login/],
  [402, 'NO_CREDITS', /Buy credits/],
])('a refusal with %d costs nothing and says what to do', async (status, code, words) => {
  service.answers = () => failureResponse(status, code);
  const { isError, text } = await verify('a@x.test');
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(words) });
  expect(await left()).toMatchObject({ sessionCreditsLeft: 10 });
});

test('a list that is dearer than the session is not asked for', async () => {
  const { isError, text } = await verify(...Array.from({ length: 11 }, (_, n) => `a${n}@x.test`));
  expect({ isError, text }).toEqual({
    isError: true,
    text: expect.stringMatching(/may cost 11 credits.*may spend 10 more/),
  });
  expect(service.requests).toEqual([]);
});
