import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clock } from './base/clock.ts';
import { RcptError } from './base/errors.ts';
import { memoryJournal } from './testing/memory-journal.ts';
import { Rcpt } from './rcpt.ts';
import {
  addresses,
  clientOf,
  collect,
  failureResponse,
  hurried,
  linesResponse,
  resultOf,
  ScriptedService,
} from './testing/scripted-service.ts';
import { runs } from '../testing/fuzz.ts';

// Under every fault tried here, each address is answered once, asked again only if its line was not read, and the ceiling
// holds.

const utf8 = new TextEncoder();

function element(index: number, email: string): string {
  return JSON.stringify({ index, ...resultOf(email) });
}

describe('a wait for a timer', () => {
  test('ends even if the clock moves between two reads and timers fire a little early', async () => {
    const moments = fc.record({
      stepMs: fc.double({ min: 0.001, max: 1, noNaN: true }),
      earlyMs: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(moments, async ({ stepMs, earlyMs }) => {
        const service = new ScriptedService();
        service.answers = (_, nth) => (nth === 0 ? failureResponse(429, 'RATE_LIMITED', { 'retry-after': '1' }) : null);
        let nowMs = 0;
        const clock: Clock = {
          ...hurried(),
          now: () => (nowMs += stepMs),
          after: (delayMs, run) => {
            const ringsMs = nowMs + delayMs - earlyMs;
            const timer = setTimeout(
              () => {
                nowMs = Math.max(nowMs, ringsMs);
                run();
              },
              delayMs > 60_000 ? delayMs : 0,
            );
            return () => clearTimeout(timer);
          },
        };
        const { got, error } = await collect(clientOf(service, { clock }).verifyAll(['a@x.test']));
        expect({ got: got.length, error }).toEqual({ got: 1, error: null });
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('a response that is cut off', () => {
  test('at any byte is repeated unchanged, and nothing is charged twice', async () => {
    const cut = fc.record({ at: fc.nat(), piece: fc.integer({ min: 1, max: 400 }), breaks: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(cut, { maxLength: 4 }), fc.integer({ min: 1, max: 60 }), async (cuts, count) => {
        const service = new ScriptedService();
        service.answers = (asked, nth) => {
          const headers = service.headers(asked);
          const whole = utf8.encode(`${service.lines(asked).join('\n')}\n`);
          const one = cuts[nth];
          const bytes = whole.slice(0, one === undefined ? whole.length : one.at % whole.length);
          const size = one?.piece ?? whole.length;
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
            bytes.slice(n * size, (n + 1) * size),
          );
          return linesResponse(pieces, one?.breaks === true ? 'broken' : 'closed', headers);
        };
        const list = addresses(count, 7);
        const run = clientOf(service).verifyAll(list, { inFlight: 1 });
        const { got, error } = await collect(run);
        expect(error).toBe(null);
        expect(got.map(({ input }) => input).toSorted()).toEqual(list.toSorted());
        expect(got.every(({ asked }) => asked === 1)).toBe(true);
        expect([service.charged, run.tally.charged, run.tally.unconfirmed]).toEqual([count, count, 0]);
      }),
      { numRuns: runs(150) },
    );
  });

  test('again and again fails the run only if no attempt brings a result', async () => {
    const service = new ScriptedService();
    service.attemptsMax = 100;
    // Each attempt brings one line more.
    service.answers = (asked, nth) => linesResponse([`${service.lines(asked).slice(0, nth).join('\n')}\n`], 'broken');
    const { got, error } = await collect(clientOf(service).verifyAll(addresses(30)));
    expect([got.length, error]).toEqual([30, null]);
    service.answers = (asked) => linesResponse([(service.lines(asked)[0] ?? '').slice(0, 40)], 'broken');
    const second = await collect(clientOf(service, { maxRetries: 3 }).verifyAll(addresses(30)));
    expect(second.got).toEqual([]);
    expect(second.error).toMatchObject({ code: 'CONNECTION', retryable: true });
  });

  test('counts with all its entries against the ceiling if the service ignores idempotency keys', async () => {
    const service = new ScriptedService();
    service.answers = (asked, nth) => linesResponse(nth === 0 ? [] : [`${service.lines(asked).join('\n')}\n`]);
    const run = clientOf(service).verifyAll(addresses(600), { maxCredits: 1_050, inFlight: 1 });
    const { got, error } = await collect(run);
    expect(got).toHaveLength(550);
    expect(error).toMatchObject({ code: 'CEILING', creditsNeeded: 50 });
    expect(run.tally).toMatchObject({ charged: 550, unconfirmed: 500 });
  });
});

test('waitS is sent as Prefer: wait, and the timeout follows it', async () => {
  const service = new ScriptedService();
  const client = clientOf(service);
  await client.verify(['a@x.test'], { waitS: 3 });
  await client.verify(['b@x.test']);
  expect(service.requests.map(({ prefer }) => prefer)).toEqual(['wait=3', null]);
  expect(() => client.verifyAll(['a@x.test'], { waitS: 0 })).toThrow('waitS is 0');
  service.answers = (_asked, _nth, signal) =>
    new Promise<never>((_, stop) => signal.addEventListener('abort', () => stop(signal.reason)));
  const verified = clientOf(service, { maxRetries: 0 }).verify(['a@x.test'], { waitS: 3 });
  await expect(verified).rejects.toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('8000 ms') });
});

describe('a service in trouble', () => {
  test('that refuses most requests with 429 is asked until every entry has a result', async () => {
    const service = new ScriptedService();
    service.answers = (_asked, nth) =>
      nth % 4 === 3 ? null : failureResponse(429, 'RATE_LIMITED', { 'retry-after': '7' });
    const run = clientOf(service).verifyAll(addresses(6_000));
    const { got, error } = await collect(run);
    expect([got.length, error, service.charged]).toEqual([6_000, null, 6_000]);
  });

  test('whose outage fails all requests in flight has failed once', async () => {
    const service = new ScriptedService();
    const waiting: (() => void)[] = [];
    // Twice, all four requests fail together.
    service.answers = async (asked, nth) => {
      if (nth >= 8) return service.answer(asked);
      await new Promise<void>((fail) => {
        waiting.push(fail);
        if (waiting.length === 4) for (const each of waiting.splice(0)) each();
      });
      return failureResponse(503, null);
    };
    const run = clientOf(service, { maxRetries: 2 }).verifyAll(addresses(2_000));
    const { got, error } = await collect(run);
    expect([got.length, error, service.charged]).toEqual([2_000, null, 2_000]);
  });

  test('that refuses every request with 429 is given up after maxRetries', async () => {
    const service = new ScriptedService();
    service.answers = () => failureResponse(429, 'RATE_LIMITED', { 'retry-after': '60', 'rcpt-request-id': 'r-1' });
    const { error } = await collect(clientOf(service).verifyAll(addresses(100)));
    expect(service.requests).toHaveLength(6);
    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429, requestId: 'r-1', retryable: true });
  });

  test('that says 402 is not asked again, and known results come before the error', async () => {
    const service = new ScriptedService();
    service.answers = (asked) =>
      service.charged + asked.emails.length > 1_700
        ? failureResponse(402, 'NO_CREDITS', { 'rcpt-remaining': String(1_700 - service.charged) })
        : null;
    const { got, error } = await collect(clientOf(service).verifyAll(addresses(5_000)));
    expect(got).toHaveLength(1_500);
    expect(service.requests.length).toBeLessThanOrEqual(3 + 4);
    expect(error).toMatchObject({ code: 'NO_CREDITS', status: 402, creditsNeeded: 3_500, creditsLeft: 200 });
  });

  test.each([
    [400, 'INVALID_INPUT', 'INVALID_INPUT'],
    [401, 'UNAUTHORIZED', 'UNAUTHORIZED'],
    [402, 'NO_CREDITS', 'NO_CREDITS'],
    [404, null, 'NOT_FOUND'],
    [403, null, 'FORBIDDEN'],
    [302, null, 'BAD_ANSWER'],
    [409, null, 'BAD_ANSWER'],
  ])('that answers %i is not asked again', async (status, code, expected) => {
    const service = new ScriptedService();
    service.answers = () => failureResponse(status, code);
    const { error } = await collect(clientOf(service).verifyAll(addresses(10)));
    expect(service.requests).toHaveLength(1);
    expect(error).toMatchObject({ code: expected, status, retryable: false });
  });

  test.each([408, 500, 502, 503, 520])('that answers %i is asked again, at no cost', async (status) => {
    const service = new ScriptedService();
    service.answers = (_asked, nth) => (nth < 3 ? failureResponse(status, null) : null);
    const run = clientOf(service).verifyAll(addresses(10));
    expect((await collect(run)).got).toHaveLength(10);
    expect(run.tally).toMatchObject({ requests: 4, charged: 10, unconfirmed: 0 });
  });

  test.each([
    // A port that the system gives to nobody: one that was free a moment ago may be another test's.
    ['refuses the connection', 'http://127.0.0.1:2'],
    ['refuses it at several addresses', 'http://localhost:2'],
    ['has no address', 'http://rcpt.invalid'],
    ['has no route', 'http://255.255.255.255'],
  ])('that %s is reported after the retries, at no cost', async (_how, baseURL) => {
    const journal = memoryJournal();
    const client = new Rcpt({ apiKey: 'svc_live_x', baseURL, maxRetries: 1 });
    const run = client.verifyAll(['a@x.test'], { journal });
    expect(await collect(run)).toMatchObject({ got: [], error: { code: 'CONNECTION', status: null } });
    expect(run.tally).toMatchObject({ requests: 2, unconfirmed: 0 });
    expect((await journal.requests()).open).toEqual([]);
  });

  test.each([
    ['no certificate that is trusted', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 0],
    ['no network, as Deno says it', { message: 'error sending request for url: client error (Connect): dns error' }, 0],
    ['no network, as the pages say it', { code: 'ENETUNREACH' }, 0],
    ['a connection that timed out', { code: 'ETIMEDOUT', syscall: 'connect' }, 0],
    ['a connection that broke while it was read', { code: 'ETIMEDOUT', syscall: 'read' }, 1],
    ['a network that went away under a connection', { code: 'ENETUNREACH', syscall: 'write' }, 1],
    ['a reset', { code: 'ECONNRESET' }, 1],
    ['a failure that says nothing', {}, 1],
  ])('of which fetch reports %s may have charged what it was sent', async (_how, details, unconfirmed) => {
    const fetch = () => Promise.reject(new TypeError('failed', { cause: Object.assign(new Error('so'), details) }));
    const run = clientOf(new ScriptedService(), { fetch, maxRetries: 1 }).verifyAll(['a@x.test']);
    expect((await collect(run)).error).toMatchObject({ code: 'CONNECTION' });
    expect(run.tally.unconfirmed).toBe(unconfirmed);
  });

  test.each([
    [413, null],
    [400, 'TOO_MANY'],
  ])('that accepts fewer than 500 entries (%i) gets smaller requests', async (status, code) => {
    const service = new ScriptedService();
    service.answers = ({ emails }) => (emails.length > 20 ? failureResponse(status, code) : null);
    const { got, error } = await collect(clientOf(service).verifyAll(addresses(900)));
    expect([got.length, error, service.charged]).toEqual([900, null, 900]);
    service.answers = () => failureResponse(status, code);
    const none = await collect(clientOf(service).verifyAll(addresses(3)));
    expect(none.error).toBeInstanceOf(RcptError);
  });

  test('that never ends its response is cut off after timeoutMs, and what it sent is kept', async () => {
    const service = new ScriptedService();
    const stopped: boolean[] = [];
    service.answers = (asked, nth, signal) => {
      if (nth > 0) return null;
      signal.addEventListener('abort', () => stopped.push(true));
      return linesResponse([`${service.lines(asked).slice(0, 4).join('\n')}\n`], 'open', {}, () => stopped.push(true));
    };
    const { got, error } = await collect(clientOf(service, { timeoutMs: 1_000 }).verifyAll(addresses(10)));
    expect([got.length, error, stopped]).toEqual([10, null, [true, true]]);
    expect(service.requests.map(({ emails }) => emails.length)).toEqual([10, 10]);
  });
});

describe('a hostile service', () => {
  test('is believed only once for each entry, and about nothing else', async () => {
    const service = new ScriptedService();
    service.answers = (asked, nth) => {
      if (nth > 0) return null;
      const [first = '', second = ''] = asked.emails;
      return linesResponse(
        [
          element(0, first),
          element(0, first),
          element(1, first),
          element(2, second),
          element(-1, first),
          element(1.5, second),
          '{"index":1}',
          '[]',
          'null',
          '"',
          '{"index":1,"email":7,"error":"invalid"}',
          '',
          '  ',
          JSON.stringify({ index: 1, ...resultOf(second), reason: 'two\nlines' }),
          JSON.stringify({ index: 1, ...resultOf(second), score: 101 }),
          '{"done":true,"charged":-1,"returned":0}',
          '{"done":true,"charged":1000000,"returned":0}',
          '{"done":true,"charged":1,"returned":1}',
        ].map((line) => `${line}\n`),
      );
    };
    const run = clientOf(service).verifyAll(['a@x.test', 'b@x.test']);
    const { got, error } = await collect(run);
    expect(error).toBe(null);
    expect(got.map(({ input, asked }) => [input, asked])).toEqual([
      ['a@x.test', 1],
      ['b@x.test', 1],
    ]);
    expect(service.requests.map(({ emails }) => emails)).toEqual([
      ['a@x.test', 'b@x.test'],
      ['a@x.test', 'b@x.test'],
    ]);
    expect(run.tally).toMatchObject({ charged: 2, returned: 0 });
  });

  test('that ends its responses without results is given up after maxRetries', async () => {
    const service = new ScriptedService();
    service.answers = ({ emails }) => linesResponse([`{"done":true,"charged":0,"returned":${emails.length}}\n`]);
    const { got, error } = await collect(clientOf(service, { maxRetries: 2 }).verifyAll(addresses(9)));
    expect([got, service.requests.length]).toEqual([[], 3]);
    expect(error).toMatchObject({ code: 'INCOMPLETE', status: 200, retryable: true });
  });

  test('may send a line of 10 MB, invalid UTF-8 and carriage returns: the other lines count', async () => {
    const service = new ScriptedService();
    const block = new Uint8Array(1_048_576).fill(0x61);
    service.answers = (asked) =>
      linesResponse([
        ...Array.from({ length: 10 }, () => block),
        '\n',
        new Uint8Array([0xff, 0xfe, 0x0a]),
        `${service.lines(asked).join('\r\n')}\r\n`,
      ]);
    expect((await collect(clientOf(service).verifyAll(addresses(5)))).got).toHaveLength(5);
  });

  test.each([
    ['text/html', 'a page'],
    ['application/json', 'the array'],
  ])('that answers with %s (%s) is not asked again: it may have charged', async (type) => {
    const service = new ScriptedService();
    service.answers = () => linesResponse(['[]'], 'closed', { 'content-type': type });
    const run = clientOf(service).verifyAll(addresses(2));
    const { error } = await collect(run);
    expect(error).toMatchObject({ code: 'BAD_ANSWER' });
    expect(service.requests).toHaveLength(1);
    expect(run.tally.unconfirmed).toBe(2);
  });

  test('that sends an endless error body is not read to the end', async () => {
    const service = new ScriptedService();
    const block = new Uint8Array(65_536).fill(0x61);
    let pulled = 0;
    service.answers = () =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull: (controller) => {
            pulled += 1;
            controller.enqueue(block);
          },
        }),
        { status: 400 },
      );
    const { error } = await collect(clientOf(service).verifyAll(addresses(1)));
    expect(error).toMatchObject({ code: 'BAD_ANSWER', message: 'HTTP 400' });
    expect(pulled).toBeLessThan(5);
  });
});
