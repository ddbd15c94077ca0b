import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  clientOf,
  failureResponse,
  linesResponse,
  ScriptedService,
} from '../../../schema/client/testing/scripted-service.ts';
import { FIELDS } from '../../../schema/words/fields.ts';
import { mcpServer } from './server.ts';

let service: ScriptedService;
let assistant: Client;
beforeEach(async () => {
  service = new ScriptedService();
  assistant = new Client({ name: 'test', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await mcpServer(clientOf(service, { maxRetries: 1 }), 200, '1').connect(there);
  await assistant.connect(here);
  // From here on each answer is held against the schema that its tool has told.
  await assistant.listTools();
});
afterEach(() => assistant.close());

type Told = { readonly isError: boolean; readonly content: Record<string, unknown>; readonly text: string };

async function call(name: string, args: Record<string, unknown> = {}, signal = NEVER): Promise<Told> {
  const { isError, structuredContent, content } = await assistant.callTool({ name, arguments: args }, undefined, {
    signal,
  });
  const texts: string[] = Object(content).map(({ text }: { text: string }) => text);
  return { isError: isError === true, content: Object(structuredContent ?? {}), text: texts.join('\n') };
}

const NEVER = new AbortController().signal;
const verify = (...emails: readonly string[]) => call('verify', { emails });
const left = async (): Promise<unknown> => (await call('credits')).content['sessionCreditsLeft'];
const many = (count: number, domain = 'x.test'): readonly string[] =>
  Array.from({ length: count }, (_, n) => `a${n}@${domain}`);
describe('the tools', () => {
  test('say what they do to the world, and what an answer holds, field by field', async () => {
    const { tools } = await assistant.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['verify', { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true }],
      ['credits', { readOnlyHint: true, openWorldHint: true }],
    ]);
    const { properties = {} } = tools[0]?.outputSchema ?? {};
    const { items } = Object(properties['results']);
    expect(Object.keys(items.properties)).toEqual(Object.keys(FIELDS));
    expect(items.additionalProperties).not.toBe(false);
    expect(items.properties).toMatchObject({
      status: { type: 'string', description: expect.stringMatching(/Known: valid, risky, invalid, unknown\.$/) },
      score: { type: 'integer', description: FIELDS.score.meaning },
      syntax: { type: 'boolean' },
      mx_records: { type: 'array', items: { type: 'string' } },
      did_you_mean: { type: ['string', 'null'] },
    });
  });

  test.each([
    ['no address', []],
    ['too many addresses', many(101)],
    ['one that is too long', [`${'a'.repeat(994)}@x.test`]],
    ['one that is no text', [7]],
  ])('refuse %s before anything is asked', async (_what, emails) => {
    expect(await call('verify', { emails }).catch(() => ({ isError: true }))).toMatchObject({ isError: true });
    expect(service.requests).toEqual([]);
  });
});

test('results come in the order of the addresses, each a line to read, even if a newer service adds more', async () => {
  service.says = (email) =>
    email.startsWith('B') ? { did_you_mean: 'b@y.test' } : Object.assign({}, { score: 90, colour: 'blue' });
  const { content, text } = await verify('B@x.test', 'a@x.test');
  expect(content).toMatchObject({
    verdicts: { valid: 2, risky: 0, invalid: 0, unknown: 0 },
    results: [{ email: 'b@x.test' }, { email: 'a@x.test', colour: 'blue' }],
    charged: 2,
    sessionCreditsLeft: 198,
  });
  expect(text.split('\n')).toEqual([
    'valid 2, risky 0, invalid 0, unknown 0. 2 credits charged.',
    'b@x.test: valid, 95, The mailbox exists, perhaps b@y.test',
    'a@x.test: valid, 90, The mailbox exists',
  ]);
  expect((await call('credits')).content).toEqual({ credits: 998, sessionCreditsLeft: 198 });
});

describe('money', () => {
  test.each([
    [401, 'UNAUTHORIZED', /run rcpt login/],
    [402, 'NO_CREDITS', /Buy credits/],
  ])('is not spent by a refusal with %d, which says what to do', async (status, code, words) => {
    service.answers = () => failureResponse(status, code);
    expect(await verify('a@x.test')).toMatchObject({ isError: true, text: expect.stringMatching(words) });
    expect(await left()).toBe(200);
  });

  test('is held while calls are under way, so that they never spend more than the session may', async () => {
    const calls = await Promise.all(['a', 'b', 'c'].map((domain) => verify(...many(90, `${domain}.test`))));
    expect(calls.map(({ isError }) => isError)).toEqual([false, false, true]);
    expect(calls[2]?.text).toMatch(/may cost 90 credits, and this session may spend 20 more.*--max-credits/);
    expect([await left(), service.charged]).toEqual([20, 180]);
    expect(await verify('a@x.test', 'A@x.test')).toMatchObject({ isError: false, content: { charged: 1 } });
  });

  test('is never spent on what is no address, which is never sent; a name around an address is not sent either', async () => {
    const { content, isError } = await verify('n/a', 'Ann Lee <ann@x.test>', '', 'ANN@x.test.');
    expect(isError).toBe(false);
    expect(service.requests.map(({ emails }) => emails)).toEqual([['ann@x.test']]);
    expect(content).toMatchObject({ charged: 1, verdicts: { valid: 2, invalid: 2 } });
    expect(await verify('a@x.test', 'b@x.test; c@x.test')).toMatchObject({
      isError: true,
      text: expect.stringContaining('several'),
    });
    expect([await left(), service.charged]).toEqual([199, 1]);
  });

  test('possibly charged for a lost answer is counted as spent', async () => {
    service.answers = () => linesResponse([]);
    expect((await verify('a@x.test')).isError).toBe(true);
    expect(await left()).toBe(199);
  });
});

/** The first address is answered, and nothing more comes. */
function hang(): void {
  service.answers = (asked) => {
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from(`${service.lines(asked)[0]}\n`)),
    });
    return new Response(stream, { headers: { 'content-type': 'application/x-ndjson' } });
  };
}

describe('a call that takes too long', () => {
  test('ends with what is known, and what it may have cost is spent', async () => {
    hang();
    const { isError, text } = await verify('a@x.test', 'b@x.test');
    expect(isError).toBe(true);
    expect(text.split('\n')).toEqual([
      expect.stringContaining('There was no complete response'),
      'Answered before that:',
      'a@x.test: valid, 95, The mailbox exists',
    ]);
    expect(await left()).toBe(198);
  });

  test('ends when the assistant cancels it', async () => {
    hang();
    const stop = new AbortController();
    const asked = call('verify', { emails: ['a@x.test'] }, stop.signal);
    stop.abort(new Error('no longer'));
    await expect(asked).rejects.toThrow('no longer');
    await expect.poll(() => service.inFlight).toBe(0);
  });
});
