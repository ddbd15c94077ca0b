import { expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { linesResponse, resultOf } from '../testing/scripted-service.ts';
import { ask } from './call.ts';
import { readCredits } from './credits.ts';
import { Pace } from './pace.ts';

const EMAILS = ['a@x.test', 'b@x.test'];
const LINES = EMAILS.map((email, index) => JSON.stringify({ index, ...resultOf(email) }));

/** What one answer comes to, and what was told of it on the way. */
async function heard(response: Response | Error) {
  const told: (string | number)[] = [];
  const service = {
    baseURL: 'https://verify.example.test',
    apiKey: 'svc_live_test',
    timeoutMs: 60_000,
    clock: new ManualClock(),
    fetch: async () => {
      if (response instanceof Error) throw response;
      return response;
    },
  };
  const asked = { emails: EMAILS, waitS: null, idempotencyKey: 'k' };
  const result = await ask(service, asked, new AbortController().signal, {
    onHead: (headers) => told.push(headers === null ? 'no head' : 'head'),
    onResult: (index) => told.push(index),
    onOtherLine: () => told.push('other'),
    onStrayLine: () => told.push('stray'),
  });
  return { told, result };
}

const bill = (charged: number, returned: number): string => JSON.stringify({ done: true, charged, returned });
const lines = (...texts: readonly string[]): Response =>
  linesResponse(
    texts.map((text) => `${text}\n`),
    'closed',
  );

test('an answer is whole with a result for each entry and a bill for no more than was asked', async () => {
  expect(await heard(lines(...LINES, bill(1, 1)))).toMatchObject({
    told: ['head', 0, 1],
    result: { error: null, bill: { charged: 1, returned: 1 }, isRefused: false },
  });
  expect(await heard(lines(...LINES, bill(2, 1)))).toMatchObject({
    told: ['head', 0, 1, 'stray'],
    result: { error: { code: 'INCOMPLETE' }, bill: null, isRefused: false },
  });
});

test('a bill before all entries are answered is a bill, and the answer is not whole', async () => {
  expect(await heard(lines(LINES[1] ?? '', bill(1, 1)))).toMatchObject({
    told: ['head', 1],
    result: { error: { code: 'INCOMPLETE', message: '1 entries were not answered.' }, bill: { charged: 1 } },
  });
});

test('what answers no entry, or one a second time, or another one, is a stray line; one of a new kind is passed on', async () => {
  const wrong = JSON.stringify({ index: 0, ...resultOf('b@x.test') });
  const beyond = JSON.stringify({ index: 2, ...resultOf('c@x.test') });
  const { told } = await heard(lines(wrong, beyond, '[]', '{"new":1}', ...LINES, LINES[0] ?? '', bill(2, 0)));
  expect(told).toEqual(['head', 'stray', 'stray', 'stray', 'other', 0, 1, 'stray']);
});

test.each([
  ['of another type', new Response('{}', { headers: { 'content-type': 'application/json' } }), 'application/json'],
  ['without a body', new Response(null, { headers: { 'content-type': 'application/x-ndjson' } }), 'x-ndjson'],
])('an answer %s is none of the service', async (_what, response, words) => {
  const { result } = await heard(response);
  expect(result).toMatchObject({ error: { code: 'BAD_ANSWER', status: 200 }, bill: null, isRefused: false });
  expect(result.error?.message).toContain(words);
});

test.each([
  ['{"error":"no","code":"RATE_LIMITED"}', 429, true],
  ['{"error":"no"}', 429, true],
  ['bad gateway', 502, false],
  ['{"error":"no","code":"INTERNAL_ERROR"}', 500, true],
  ['{"error":"no","code":"SHARD_GONE"}', 503, false],
  ['', 408, false],
])('after %j with status %i it is certain that nothing was done: %j', async (body, status, isRefused) => {
  const headers = { 'retry-after': '7', 'idempotency-charged': '1' };
  const { told, result } = await heard(new Response(body, { status, headers }));
  expect(told).toEqual(['head']);
  expect(result).toMatchObject({ isRefused, bill: null, chargedBefore: 1, retryAfterMs: 7_000, error: { status } });
});

test.each(['no JSON', '{"credits":"7"}', '{"credits":-1}', '[]'])('%j is no balance', async (body) => {
  const clock = new ManualClock();
  const fetch = async (): Promise<Response> => new Response(body, { headers: { 'x-request-id': 'r1' } });
  const service = { baseURL: 'https://x.test', apiKey: 'k', timeoutMs: 60_000, clock, fetch };
  const means = { service, pace: new Pace(clock), maxRetries: 0 };
  await expect(readCredits(means, null)).rejects.toMatchObject({ code: 'BAD_ANSWER', status: 200, requestId: 'r1' });
});

test.each([
  ['was refused', 'ECONNREFUSED', true],
  ['broke', 'ECONNRESET', false],
])('a connection that %s has no head and no bill, and says whether nothing was sent', async (_how, code, isRefused) => {
  expect(await heard(Object.assign(new Error('no'), { code }))).toMatchObject({
    told: ['no head'],
    result: { error: { code: 'CONNECTION' }, bill: null, isRefused, chargedBefore: null, retryAfterMs: 0 },
  });
});
