import { describe, expect, test } from 'vitest';
import { RcptError } from './base/errors.ts';
import { memoryJournal } from './testing/memory-journal.ts';
import {
  addresses,
  clientOf,
  collect,
  failureResponse,
  GREYLISTED,
  hurried,
  linesResponse,
  ScriptedService,
  UNPROBED,
} from './testing/scripted-service.ts';

// When the caller stops, fails or loses its machine, nothing is lost, and nothing is asked or paid for twice.

describe('a caller', () => {
  test('that stops gets all results in progress and their bill, then the signal’s reason', async () => {
    const service = new ScriptedService();
    const stop = new AbortController();
    const why = new Error('enough');
    const { promise: later, resolve: go } = Promise.withResolvers<void>();
    service.answers = async (asked) => {
      if (service.requests.length === 2) {
        stop.abort(why);
        setTimeout(go, 5);
      }
      await later;
      return service.answer(asked);
    };
    const run = clientOf(service).verifyAll(addresses(3_000), { stop: stop.signal, inFlight: 2 });
    const { got, error } = await collect(run);
    expect(error).toBe(why);
    expect(service.requests).toHaveLength(2);
    expect(got).toHaveLength(service.requests.flatMap(({ emails }) => emails).length);
    expect(run.tally).toMatchObject({ charged: got.length, unconfirmed: 0 });
    await expect(clientOf(service).verify(['a@x.test'], { stop: stop.signal })).rejects.toBe(why);
  });

  test('gets the error of a run that ends during a journal look-up', async () => {
    const service = new ScriptedService();
    const { promise: refused, resolve: goOn } = Promise.withResolvers<void>();
    service.answers = async (asked, nth) => {
      if (nth > 0) {
        setTimeout(goOn, 5);
        return failureResponse(402, 'NO_CREDITS');
      }
      // Still under way when what was looked up comes too late.
      await refused;
      await new Promise((later) => setTimeout(later, 5));
      return service.answer(asked);
    };
    const journal = memoryJournal();
    const known = async (index: number) => {
      if (index === 1_000) await refused;
      return journal.known(index);
    };
    const run = clientOf(service).verifyAll(addresses(1_200), { journal: { ...journal, known }, inFlight: 2 });
    const { got, error } = await collect(run);
    expect(error).toMatchObject({ code: 'NO_CREDITS' });
    expect(got).toHaveLength(500);
  });

  test('that aborts gets the known results, then the signal’s reason', async () => {
    const service = new ScriptedService();
    const stop = new AbortController();
    const why = new Error('enough');
    const stopped: number[] = [];
    service.answers = (asked, nth, signal) => {
      signal.addEventListener('abort', () => stopped.push(nth));
      return nth === 0 ? null : linesResponse([`${service.lines(asked)[0] ?? ''}\n`], 'open');
    };
    const got: unknown[] = [];
    const run = clientOf(service).verifyAll(addresses(3_000), { signal: stop.signal });
    const work = (async () => {
      for await (const item of run) if (got.push(item) === 503) stop.abort(why);
    })();
    await expect(work).rejects.toBe(why);
    expect(got).toHaveLength(503);
    // The first has ended by itself; its signal is let go of.
    expect(stopped.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
    expect(service.requests.length).toBeLessThanOrEqual(5);
    await expect(clientOf(service).verify(['a@x.test'], { signal: stop.signal })).rejects.toBe(why);
  });

  test('that leaves the loop ends the run and closes the list and the journal', async () => {
    const service = new ScriptedService();
    const seen: string[] = [];
    const list = (function* () {
      try {
        yield* addresses(100_000);
      } finally {
        seen.push('list closed');
      }
    })();
    const journal = { ...memoryJournal(), close: async () => void seen.push('journal closed') };
    for await (const { index } of clientOf(service).verifyAll(list, { journal })) if (index >= 0) break;
    expect(seen.toSorted()).toEqual(['journal closed', 'list closed']);
    const asked = service.requests.length;
    await new Promise((wake) => setTimeout(wake, 30));
    expect(service.requests.length).toBe(asked);
  });

  test('whose list throws gets the results of what was read, then the error', async () => {
    const service = new ScriptedService();
    const why = new Error('disk gone');
    const list = (async function* () {
      yield* addresses(700);
      await new Promise((wake) => setTimeout(wake, 5));
      throw why;
    })();
    const { got, error } = await collect(clientOf(service).verifyAll(list));
    expect(error).toBe(why);
    expect(got.length).toBe(service.answered.size);
    expect(got.length).toBeGreaterThanOrEqual(500);
  });

  test('of verify finds the known results in the error, aligned with the list', async () => {
    const service = new ScriptedService();
    service.answers = (_asked, nth) => (nth === 0 ? null : failureResponse(401, 'UNAUTHORIZED'));
    const error = await clientOf(service, {})
      .verify(addresses(501))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RcptError);
    if (!(error instanceof RcptError)) return;
    expect(error.results).toHaveLength(501);
    expect(error.results.filter((result) => result === null)).toHaveLength(1);
    expect(error.message).not.toContain('svc_live');
  });
});

test('a failed run loses no result that arrives while others are being taken', async () => {
  const service = new ScriptedService();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: taken, resolve: goOn } = Promise.withResolvers<void>();
  // The second request brings two results before the first one ends the run, and the others later.
  service.answers = async (asked, nth) => {
    if (nth === 0) {
      await begun;
      return failureResponse(401, 'UNAUTHORIZED');
    }
    begin();
    const lines = service.lines(asked).map((line) => `${line}\n`);
    const pieces = (async function* () {
      yield new TextEncoder().encode(lines.slice(0, 2).join(''));
      await taken;
      yield new TextEncoder().encode(lines.slice(2).join(''));
    })();
    return new Response(ReadableStream.from(pieces), { headers: { 'content-type': 'application/x-ndjson' } });
  };
  const got: number[] = [];
  const run = clientOf(service).verifyAll(addresses(700), { inFlight: 2 });
  const work = (async () => {
    for await (const { index } of run) {
      if (got.push(index) > 1) continue;
      goOn();
      await new Promise((wake) => setTimeout(wake, 20));
    }
  })();
  await expect(work).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(got.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 200 }, (_, n) => 500 + n));
});

test('a run continues after its machine has slept for an hour', async () => {
  const service = new ScriptedService();
  const awake = hurried();
  let sleptMs = 0;
  const clock = { ...awake, now: () => awake.now() + sleptMs, wallMs: () => awake.wallMs() + sleptMs };
  const list = addresses(3_000);
  const putOff = new Set(list.filter((email) => email.startsWith('user7')));
  service.says = (email, nth) => (nth === 0 && putOff.has(email) ? GREYLISTED : {});
  service.answers = (_asked, nth) => {
    if (nth !== 2 && nth !== 6) return null;
    sleptMs += 3_600_000;
    return failureResponse(429, 'RATE_LIMITED', { 'retry-after': '60' });
  };
  const { got, error } = await collect(clientOf(service, { clock }).verifyAll(list, { rounds: 2 }));
  expect(error).toBe(null);
  expect(got.map(({ input }) => input).toSorted()).toEqual(list.toSorted());
  expect(got.every(({ result }) => result.status === 'valid')).toBe(true);
  expect(new Set(got.filter(({ asked }) => asked !== 1).map(({ input }) => input))).toEqual(putOff);
  expect(service.charged).toBe(list.length + putOff.size);
});

describe('one slow domain', () => {
  test('is asked in small portions, in one request at a time, and delays no other domain', async () => {
    const service = new ScriptedService();
    const slow = Array.from({ length: 4_000 }, (_, n) => `user${n}@slow.test`);
    const list = [...slow, ...addresses(2_000)];
    const inProgress = { now: 0, most: 0 };
    const sizes: number[] = [];
    // Of each request it has time for 20: the others are unprobed.
    service.answers = async (asked) => {
      const those = asked.emails.filter((email) => email.endsWith('@slow.test'));
      const unprobed = new Set(those.slice(20));
      service.says = (email) => (unprobed.has(email) ? UNPROBED : {});
      const answer = service.answer(asked);
      if (those.length === 0) return answer;
      sizes.push(those.length);
      if (sizes.length > 4) inProgress.most = Math.max(inProgress.most, (inProgress.now += 1));
      await new Promise((wake) => setTimeout(wake, 1));
      if (sizes.length > 4) inProgress.now -= 1;
      return answer;
    };
    const { got, error } = await collect(clientOf(service).verifyAll(list, { rounds: 50 }));
    expect([got.length, error]).toEqual([6_000, null]);
    expect(service.charged).toBe(6_000);
    expect(sizes[0]).toBe(100);
    expect(inProgress.most).toBe(1);
    expect(Math.max(...sizes.slice(8))).toBeLessThanOrEqual(50);
  });
});
