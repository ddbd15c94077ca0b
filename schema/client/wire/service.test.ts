import { expect, test } from 'vitest';
import { RcptError } from '../base/errors.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { readFailure, readStart, send, type Service, wasNeverSent } from './service.ts';

const failed = (status: number, body: string, headers: Record<string, string> = {}) =>
  readFailure(new Response(body, { status, headers }));

test.each([
  [400, 'TOO_MANY', 'TOO_MANY'],
  [400, 'NO_CREDITS', 'INVALID_INPUT'],
  [401, 'TOO_MANY', 'UNAUTHORIZED'],
  [402, 'NO_CREDITS', 'NO_CREDITS'],
  [403, 'NO_CREDITS', 'FORBIDDEN'],
  [404, 'NO_CREDITS', 'NOT_FOUND'],
  [405, 'NO_CREDITS', 'NOT_FOUND'],
  [408, 'NO_CREDITS', 'TIMEOUT'],
  [409, 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_IN_PROGRESS'],
  [409, 'NO_CREDITS', 'CONFLICT'],
  [413, 'NO_CREDITS', 'BODY_TOO_LARGE'],
  [422, 'IDEMPOTENCY_MISMATCH', 'IDEMPOTENCY_MISMATCH'],
  [422, 'NO_CREDITS', 'BAD_ANSWER'],
  [425, 'NO_CREDITS', 'CONNECTION'],
  [429, 'IDEMPOTENCY_EXHAUSTED', 'IDEMPOTENCY_EXHAUSTED'],
  [429, 'NO_CREDITS', 'RATE_LIMITED'],
  [451, 'NO_CREDITS', 'UNAVAILABLE_FOR_LEGAL_REASONS'],
  [499, 'NO_CREDITS', 'BAD_ANSWER'],
  [500, 'NO_CREDITS', 'INTERNAL_ERROR'],
  [503, 'NO_CREDITS', 'INTERNAL_ERROR'],
  // A newer service's own.
  [402, 'ACCOUNT_PAUSED', 'ACCOUNT_PAUSED'],
  [409, 'LIST_LOCKED', 'LIST_LOCKED'],
  // No code at all.
  [418, 'a word', 'BAD_ANSWER'],
  [418, 'X'.repeat(65), 'BAD_ANSWER'],
  [418, 'X'.repeat(64), 'X'.repeat(64)],
])('%d with the code %s is %s', async (status, code, told) => {
  const { error, isCertain } = await failed(status, JSON.stringify({ error: 'Words.', code }));
  expect([error.code, error.message, error.status, isCertain]).toEqual([told, 'Words.', status, true]);
});

test.each([
  [408, false],
  [409, true],
  [499, true],
  [500, false],
  [502, false],
])('%d without a code of the service says that nothing was done: %s', async (status, isCertain) => {
  expect(await failed(status, '<html>')).toMatchObject({ isCertain, error: { message: `HTTP ${status}` } });
  expect(await failed(status, '{"error":7,"code":7}')).toMatchObject({
    isCertain,
    error: { message: `HTTP ${status}` },
  });
  // A newer service's, or a gateway's.
  expect(await failed(status, '{"error":"No.","code":"BAD_GATEWAY"}')).toMatchObject({
    isCertain,
    error: { code: 'BAD_GATEWAY' },
  });
});

test('a refusal has what its headers say, and no more words than a line of them', async () => {
  const { error } = await failed(402, JSON.stringify({ error: 'x'.repeat(600) }), {
    'x-request-id': 'req_1',
    'rcpt-remaining': '12',
  });
  expect(error).toMatchObject({ requestId: 'req_1', creditsLeft: 12, message: 'x'.repeat(500) });
  expect((await failed(402, '{}', { 'rcpt-remaining': 'many' })).error.creditsLeft).toBe(null);
});

test('an error body is read up to its limit, in pieces of any size', async () => {
  expect(await readStart(new Response(null))).toBe('');
  const bytes = new TextEncoder().encode('ü€');
  expect(await readStart(new Response(ReadableStream.from(Array.from(bytes, (byte) => Uint8Array.of(byte)))))).toBe(
    'ü€',
  );
  const block = new Uint8Array(16_384).fill(0x61);
  expect(await readStart(new Response(ReadableStream.from([block, block])))).toHaveLength(16_384);
});

const because = (cause: unknown): RcptError => new RcptError('CONNECTION', 'It broke.', { cause });

test('a request was surely never sent if its cause, or the cause of that, says so', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  expect(wasNeverSent(because(refused))).toBe(true);
  expect(wasNeverSent(because(new TypeError('fetch failed', { cause: refused })))).toBe(true);
  expect(wasNeverSent(because(new TypeError('client error (Connect)')))).toBe(true);
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  expect(wasNeverSent(because(reset))).toBe(false);
  expect(wasNeverSent(because('ECONNREFUSED'))).toBe(false);
  expect(wasNeverSent(new RcptError('TIMEOUT', 'It took too long.', { cause: refused }))).toBe(false);
  const deep = new Error('1', { cause: new Error('2', { cause: new Error('3', { cause: refused }) }) });
  expect(wasNeverSent(because(deep))).toBe(false);
});

/** A service that answers with what its request was, or never. */
function serviceOf(answers: 'at once' | 'never') {
  const clock = new ManualClock();
  const asked: { url: string; init: RequestInit | undefined }[] = [];
  const fetch: Service['fetch'] = (url, init) => {
    asked.push({ url: new Request(url).url, init });
    return answers === 'never' ? new Promise(() => {}) : Promise.resolve(new Response('yes'));
  };
  const service = { baseURL: 'https://x.test', apiKey: 'svc_live_test', timeoutMs: 60_000, clock, fetch };
  return { service, clock, asked };
}
const text = (response: Response): Promise<string> => response.text();

test('a request has its key, Prefer and Idempotency-Key headers, and follows no redirect', async () => {
  const { service, asked } = serviceOf('at once');
  expect(await send(service, { path: '/a', accept: 'text/plain' }, null, text)).toBe('yes');
  const keyed = { path: '/b', accept: 'x/y', body: '{}', waitS: 5, idempotencyKey: 'k' };
  await send(service, keyed, null, text);
  const headers = { authorization: 'Bearer svc_live_test', 'content-type': 'application/json' };
  expect(asked).toMatchObject([
    { url: 'https://x.test/a', init: { method: 'GET', redirect: 'manual' } },
    { url: 'https://x.test/b', init: { method: 'POST', body: '{}', redirect: 'manual' } },
  ]);
  expect(asked.map(({ init }) => init?.headers)).toEqual([
    { ...headers, accept: 'text/plain' },
    { ...headers, accept: 'x/y', prefer: 'wait=5', 'idempotency-key': 'k' },
  ]);
});

test.each([
  ['as the client says', null, 60_000],
  ['as the service was asked to, and some seconds for the way', 5, 10_000],
  ['no longer than the client says', 90, 60_000],
])('a request takes as long %s', async (_name, waitS, timeoutMs) => {
  const { service, clock } = serviceOf('never');
  const ended = send(service, { path: '/', accept: '', waitS }, null, text).catch((error: unknown) => error);
  clock.advance(timeoutMs - 1);
  const later = new Promise((done) => setImmediate(() => done('waits')));
  expect(await Promise.race([ended, later])).toBe('waits');
  clock.advance(1);
  expect(await ended).toMatchObject({
    code: 'TIMEOUT',
    message: `There was no complete response within ${timeoutMs} ms.`,
  });
});

test('a signal ends a request with its own reason, and one that has fired begins none', async () => {
  const { service, asked } = serviceOf('never');
  const stop = new AbortController();
  const ended = send(service, { path: '/', accept: '' }, stop.signal, text);
  stop.abort(new Error('enough'));
  await expect(ended).rejects.toThrow('enough');
  await expect(send(service, { path: '/', accept: '' }, stop.signal, text)).rejects.toThrow('enough');
  expect(asked).toHaveLength(1);
});
