import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  clientOf,
  failureResponse,
  linesResponse,
  ScriptedService,
} from '../../../schema/client/testing/scripted-service.ts';
import { ManualClock } from '../../../schema/client/testing/manual-clock.ts';
import { FIELDS } from '../../../schema/words/fields.ts';
import { mcpServer } from './server.ts';

let service: ScriptedService;
let assistant: Client;
let clock: ManualClock;
/** The service knows the key no more. */
let refusesAll: boolean;
beforeEach(async () => {
  refusesAll = false;
  service = new ScriptedService();
  const fetch: typeof service.fetch = async (...request) =>
    refusesAll ? failureResponse(401, 'UNAUTHORIZED') : service.fetch(...request);
  assistant = new Client({ name: 'test', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  clock = new ManualClock();
  await mcpServer(clientOf(service, { maxRetries: 1, fetch }), 200, '1', clock).connect(there);
  await assistant.connect(here);
  // From here on each answer is held against the schema that its tool has told.
  await assistant.listTools();
});
afterEach(async () => {
  await assistant.close();
  vi.useRealTimers();
});

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
const more = (cursor: string) => call('results', { cursor });
const left = async (): Promise<unknown> => (await call('credits')).content['sessionCreditsLeft'];
const many = (count: number, domain = 'x.test'): readonly string[] =>
  Array.from({ length: count }, (_, n) => `a${n}@${domain}`);
const emailsOf = ({ content }: Told): readonly string[] =>
  Object(content['results']).map(({ email }: { email: string }) => email);

/** As long as it takes until what has come is heard. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
}

/** The service answers with these lines, and with the rest when it may. `begun`: what has come was heard. */
function heldAfter(places: readonly number[]) {
  const [gate, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  service.answers = (asked) => {
    const lines = service.lines(asked);
    const now = places.map((place) => lines[place]);
    const rest = lines.filter((line) => !now.includes(line));
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from(now.map((line) => `${line}\n`).join(''))),
      pull: async (controller) => {
        await turns();
        begun.resolve();
        await gate.promise;
        controller.enqueue(Buffer.from(rest.map((line) => `${line}\n`).join('')));
        controller.close();
      },
    });
    return new Response(stream, { headers: { 'content-type': 'application/x-ndjson' } });
  };
  return { begun: begun.promise, release: gate.resolve };
}

describe('the tools', () => {
  test('say what they do to the world, and what an answer holds, field by field', async () => {
    const { tools } = await assistant.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['verify', { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true }],
      ['results', { readOnlyHint: true, openWorldHint: true }],
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
    ['too many addresses', many(501)],
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
    isDone: true,
    answered: 2,
    verdicts: { valid: 2, risky: 0, invalid: 0, unknown: 0 },
    results: [{ email: 'b@x.test' }, { email: 'a@x.test', colour: 'blue' }],
    nextCursor: null,
    charged: 2,
    sessionCreditsLeft: 198,
  });
  expect(Object.keys(content)).not.toContain('otherLines');
  expect(text.split('\n')).toEqual([
    '2 of 2 answered: valid 2, risky 0, invalid 0, unknown 0. 2 credits charged.',
    'b@x.test: valid, 95, The mailbox exists, perhaps b@y.test',
    'a@x.test: valid, 90, The mailbox exists',
  ]);
  expect((await call('credits')).content).toEqual({ credits: 998, sessionCreditsLeft: 198 });
});

test('a hundred lines of a newer kind are passed on at most', async () => {
  service.answers = (asked) =>
    linesResponse([[...Array.from({ length: 101 }, (_, n) => `{"n":${n}}`), ...service.lines(asked), ''].join('\n')]);
  expect((await verify('a@x.test')).content['otherLines']).toEqual(Array.from({ length: 100 }, (_, n) => ({ n })));
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

  test('of the session is all that a call may cost, duplicates apart', async () => {
    expect(await verify(...many(201))).toMatchObject({
      isError: true,
      text: expect.stringMatching(/may cost 201 credits.*may spend 200 more.*--max-credits/),
    });
    expect(service.requests).toEqual([]);
    expect(await verify(...many(200), 'A0@x.test')).toMatchObject({ isError: false });
    expect(await left()).toBe(0);
  });

  test('is held while a list is under way, and never spent twice on answers that were lost', async () => {
    const { promise: repeated, resolve } = Promise.withResolvers<void>();
    service.answers = async (asked) => {
      if (asked.emails.length < 100) {
        await repeated.then(turns);
        return failureResponse(429, 'RATE_LIMITED');
      }
      if (asked.repeats === 0) return linesResponse([]);
      resolve();
      // Without a word of what the lost answer has cost.
      return linesResponse([`${service.lines(asked).join('\n')}\n`]);
    };
    const { isError, text } = await verify(...many(150));
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(/^Some answers were lost, and/) });
    expect(service.answered.size).toBe(100);
    expect(await left()).toBe(0);
  });

  test('that the account cannot be asked about is an error', async () => {
    refusesAll = true;
    expect(await call('credits')).toMatchObject({ isError: true, text: expect.stringContaining('run rcpt login') });
  });
});

describe('a long list', () => {
  test('comes as a summary and pages, in its order, each small enough to be read', async () => {
    const emails = many(60);
    const pages = [await verify(...emails), await more('1-25'), await more('1-50')];
    expect(pages.map(({ content }) => content['nextCursor'])).toEqual(['1-25', '1-50', null]);
    expect(pages.map(({ text }) => /More: .*/.exec(text)?.[0])).toEqual([
      'More: results with the cursor 1-25.',
      'More: results with the cursor 1-50.',
      undefined,
    ]);
    expect(pages.map((page) => emailsOf(page).length)).toEqual([25, 25, 10]);
    expect(pages.flatMap(emailsOf)).toEqual(emails);
    expect(Math.max(...pages.map((page) => JSON.stringify(page).length))).toBeLessThan(30_000);
    expect(service.charged).toBe(60);
    for (const cursor of ['9-0', 'x', '1-', '-25', ' 1-25', '1-25 ', '1-1000'])
      expect(await more(cursor)).toMatchObject({ isError: true, text: expect.stringContaining('no results for this') });
  });

  test('that takes longer than an assistant waits ends with what is known up to a gap, and goes on', async () => {
    const { begun, release } = heldAfter([0, 1, 3]);
    const asked = verify('a@x.test', 'b@x.test', 'c@x.test', 'd@x.test');
    await begun;
    clock.advance(44_999);
    expect(await Promise.race([asked, turns()])).toBe(undefined);
    clock.advance(1);
    const first = await asked;
    expect(first.content).toMatchObject({ isDone: false, answered: 3, charged: 0, nextCursor: '1-2' });
    expect(emailsOf(first)).toEqual(['a@x.test', 'b@x.test']);
    expect(await left()).toBe(196);
    const rest = more('1-2');
    release();
    expect(emailsOf(await rest)).toEqual(['c@x.test', 'd@x.test']);
    expect((await rest).content).toMatchObject({ isDone: true, answered: 4, charged: 4, nextCursor: null });
    expect(service.requests).toHaveLength(1);
  });

  test('gives a page that is known at once, and the last one with the cost', async () => {
    const emails = many(60);
    const { begun, release } = heldAfter([...emails.keys()].slice(0, 50));
    const asked = verify(...emails);
    await begun;
    clock.advance(45_000);
    await asked;
    expect(emailsOf(await more('1-25'))).toEqual(emails.slice(25, 50));
    const last = more('1-50');
    release();
    expect((await last).content).toMatchObject({ isDone: true, charged: 60 });
    expect(emailsOf(await last)).toEqual(emails.slice(50));
  });

  test('that failed has what was paid for before, with its gaps, and the pages behind them', async () => {
    service.answers = (asked, nth) => {
      if (nth > 0) return failureResponse(500, 'INTERNAL_ERROR');
      const lines = service.lines(asked);
      return linesResponse([`${[lines[2], lines[40]].join('\n')}\n`], 'broken');
    };
    const first = await verify(...many(60));
    expect(first.isError).toBe(true);
    expect(first.text.split('\n').slice(1)).toEqual([
      'Answered before that:',
      'a2@x.test: valid, 95, The mailbox exists',
      'More: results with the cursor 1-25.',
    ]);
    const second = await more('1-25');
    expect(second.text).toContain('a40@x.test');
    expect(second.text).toContain('More: results with the cursor 1-50.');
    expect((await more('1-50')).text).not.toContain('Answered before that');
    // It may have cost sixty: the end of the answer was lost.
    expect(await left()).toBe(140);
  });

  test('is forgotten when twenty others came after it, but not while it is under way', async () => {
    const { begun, release } = heldAfter([]);
    const slow = verify('a@x.test');
    await begun;
    clock.advance(45_000);
    await slow;
    service.answers = () => null;
    for (let n = 2; n <= 21; n += 1) await verify(`a${n}@x.test`);
    expect(await more('2-0')).toMatchObject({ isError: true });
    for (const cursor of ['3-0', '21-0']) expect(await more(cursor)).toMatchObject({ isError: false });
    const late = more('1-0');
    release();
    expect((await late).content).toMatchObject({ isDone: true, answered: 1 });
  });
});

test('a call that is cancelled stops its list, and says so to whoever asks for the rest', async () => {
  const stopped = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  service.answers = (_asked, _nth, signal) => {
    signal.addEventListener('abort', () => stopped.resolve());
    begun.resolve();
    return new Promise(() => {});
  };
  const cancel = new AbortController();
  const cancelled = call('verify', { emails: ['a@x.test'] }, cancel.signal).catch(() => null);
  await begun.promise;
  cancel.abort(new Error('enough'));
  await Promise.all([stopped.promise, cancelled]);
  expect(await more('1-0')).toEqual({ isError: true, content: {}, text: 'The call was cancelled.' });
});

test('a list whose assistant has gone is stopped', async () => {
  const stopped = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  service.answers = (_asked, _nth, signal) => {
    signal.addEventListener('abort', () => stopped.resolve());
    begun.resolve();
    return new Promise(() => {});
  };
  const asked = verify('a@x.test').catch(() => null);
  await begun.promise;
  await assistant.close();
  await stopped.promise;
  await asked;
});

test('who asks for progress hears every two seconds how far a call is, until it ends, and nobody else', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { begun, release } = heldAfter([1]);
  const heard: unknown[] = [];
  const params = { name: 'verify', arguments: { emails: ['a@x.test', 'b@x.test'] } };
  const asked = assistant.callTool(params, undefined, { onprogress: (progress) => heard.push(progress) });
  await begun;
  const quiet = more('1-0');
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1_999);
  expect(heard).toEqual([]);
  vi.advanceTimersByTime(2_001);
  await expect.poll(() => heard).toHaveLength(2);
  expect(heard).toEqual([1, 2].map((progress) => ({ progress, message: '1 of 2 answered' })));
  release();
  await Promise.all([asked, quiet]);
  expect(vi.getTimerCount()).toBe(0);
});
