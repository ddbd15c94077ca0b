import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Journal } from './journal/journal.ts';
import { memoryJournal } from './testing/memory-journal.ts';
import { Rcpt, type RcptOptions } from './rcpt.ts';
import {
  addresses,
  clientOf,
  collect,
  type Cut,
  GREYLISTED,
  hurried,
  ScriptedService,
} from './testing/scripted-service.ts';
import { runs } from '../testing/fuzz.ts';

// However a run is interrupted and however often it is taken up, the ledger says what one uninterrupted run costs, and so
// does the tally.

const BLOCKED = { result: 'unknown', status: 'unknown', reason: 'policy_rejected', score: 30 } as const;
const DAY_MS = 86_400_000;

/** A day has passed for journal and service alike when the test says so. */
function world(options: Partial<RcptOptions> = {}) {
  const passed = { ms: 0 };
  const clock = { ...hurried(), wallMs: () => 1_700_000_000_000 + passed.ms };
  const service = new ScriptedService(clock.wallMs);
  const client = new Rcpt({
    apiKey: 'svc_live_test',
    baseURL: 'https://verify.example.test/',
    fetch: service.fetch,
    clock,
    timeoutMs: DAY_MS,
    ...options,
  });
  return { client, service, passed };
}

/** Ends the process, as far as a journal can tell: from its nth write on nothing is kept. */
function mortal(journal: Journal, writes: number): Journal {
  let left = writes;
  const live = async (write: () => Promise<void>): Promise<void> => {
    left -= 1;
    if (left < 0) throw new Error('killed');
    await write();
  };
  return {
    ...journal,
    append: (record) => live(() => journal.append(record)),
    begin: (request) => live(() => journal.begin(request)),
    end: (key, cost) => live(() => journal.end(key, cost)),
    close: async () => {},
  };
}

type Interruption =
  | { readonly how: 'pause' | 'abort' | 'leave'; readonly after: number }
  | { readonly how: 'kill'; readonly writes: number };

const cuts: fc.Arbitrary<Cut> = fc
  .record({ written: fc.nat(14), unread: fc.nat(14), breaks: fc.boolean(), lingers: fc.nat(2) })
  .map(({ written, unread, breaks, lingers }) => ({
    written,
    read: Math.max(0, written - unread),
    ends: breaks ? 'broken' : 'closed',
    lingers,
  }));
const interruptions: fc.Arbitrary<Interruption> = fc.oneof(
  fc.record({ how: fc.constantFrom('pause', 'abort', 'leave'), after: fc.nat(30) }),
  fc.record({ how: fc.constant('kill'), writes: fc.nat(45) }),
);

async function interrupt(
  client: Rcpt,
  list: readonly string[],
  journal: Journal,
  how: Interruption,
  maxCredits: number,
) {
  const signal = new AbortController();
  const stop = new AbortController();
  const run = client.verifyAll(list, {
    journal: how.how === 'kill' ? mortal(journal, how.writes) : journal,
    signal: signal.signal,
    stop: stop.signal,
    maxCredits,
    inFlight: 2,
  });
  let taken = 0;
  try {
    for await (const _ of run) {
      taken += 1;
      if (how.how === 'kill' || taken < how.after) continue;
      if (how.how === 'leave') break;
      (how.how === 'pause' ? stop : signal).abort(new Error('enough'));
    }
  } catch {
    // It was interrupted.
  }
  return run.tally;
}

test('a list interrupted at any points costs what it costs uninterrupted, and the tally agrees', async () => {
  const scenes = fc.record({
    count: fc.integer({ min: 1, max: 60 }),
    domains: fc.integer({ min: 1, max: 9 }),
    // Together with the steps fewer than the attempts that a key has.
    attempts: fc.array(fc.option(cuts, { freq: 2 }), { maxLength: 5 }),
    steps: fc.array(interruptions, { maxLength: 4 }),
    blocked: fc.integer({ min: 2, max: 9 }),
    // The machine's clock is set, back or on, while a request is under way.
    hours: fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(scenes, async ({ count, domains, attempts, steps, blocked, hours }) => {
      const { client, service, passed } = world({ maxRetries: 12 });
      const left = [...hours];
      service.onAttempt = () => (passed.ms += (left.shift() ?? 0) * 3_600_000);
      const list = addresses(count, domains);
      const free = new Set(list.filter((_, index) => index % blocked === 0));
      service.says = (email) => (free.has(email) ? BLOCKED : {});
      service.cuts = [...attempts];
      const journal = memoryJournal();
      for (const step of steps) {
        const tally = await interrupt(client, list, journal, step, count);
        expect(service.charged).toBeLessThanOrEqual(tally.charged + tally.unconfirmed);
      }
      const run = client.verifyAll(list, { journal, maxCredits: count });
      const { got, error } = await collect(run);
      expect(error).toBe(null);
      expect(got.map(({ input }) => input).toSorted()).toEqual(list.toSorted());
      expect(got.every(({ asked }) => asked === 1)).toBe(true);
      const due = list.filter((email) => !free.has(email));
      expect([...service.ledger.keys()].toSorted()).toEqual(due.toSorted());
      expect(service.charged).toBe(due.length);
      expect(run.tally).toMatchObject({ charged: due.length, returned: free.size, unconfirmed: 0 });
      expect(service.refusals.filter((code) => code !== 'IDEMPOTENCY_IN_PROGRESS')).toEqual([]);
    }),
    { numRuns: runs(400) },
  );
});

/** A journal of a run that was cut off after it had sent one request of three, of which it read so many lines. */
async function cutOff(service: ScriptedService, client: Rcpt, cut: Partial<Cut> = {}): Promise<Journal> {
  const journal = memoryJournal();
  service.cuts = [{ written: 2, read: 1, ends: 'broken', lingers: 0, ...cut }];
  const stop = new AbortController();
  service.onAttempt = () => stop.abort(new Error('enough'));
  const run = client.verifyAll(THREE, { journal, stop: stop.signal });
  await expect(collect(run)).resolves.toMatchObject({ error: { message: 'enough' } });
  expect(run.tally).toMatchObject({ charged: 0, unconfirmed: 3 });
  service.onAttempt = () => {};
  return journal;
}

const THREE = addresses(3);

describe('an interrupted request', () => {
  test('that the service still works on delays no other request, in its own run or the next', async () => {
    const list = addresses(1_300, 3);
    const { client, service } = world();
    service.cuts = [{ written: 2, read: 1, ends: 'broken', lingers: 20 }];
    const journal = memoryJournal();
    const first = client.verifyAll(list, { journal, inFlight: 1 });
    let got = 0;
    let conflicts = 0;
    for await (const _ of first) {
      conflicts = Math.max(conflicts, first.tally.conflicts);
      if ((got += 1) === 350) break;
    }
    // With one request at a time, and that one waiting.
    expect([conflicts, service.refusals.length < 20]).toEqual([1, true]);
    const second = client.verifyAll(list, { journal, inFlight: 1 });
    let early = 0;
    for await (const _ of second) if (service.refusals.length < 20) early += 1;
    expect(early).toBeGreaterThan(350);
    expect(second.tally).toMatchObject({ conflicts: 0, charged: 1_300, unconfirmed: 0 });
    expect(service.charged).toBe(1_300);
  });

  test('that the service never ends is given up after five minutes, and a later run repeats it', async () => {
    const { client, service } = world();
    const journal = await cutOff(service, client, { lingers: 160 });
    const given = await collect(client.verifyAll(THREE, { journal }));
    expect(given.error).toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS', retryable: true });
    expect(service.refusals).toHaveLength(151);
    expect(await collect(client.verifyAll(THREE, { journal }))).toMatchObject({ got: [{}, {}, {}], error: null });
    expect(service.charged).toBe(3);
  });

  test('resumed a day later is sent anew, and its possible cost is in tally.unconfirmed', async () => {
    const { client, service, passed } = world();
    const journal = await cutOff(service, client);
    passed.ms = DAY_MS - 60_000;
    const run = client.verifyAll(THREE, { journal });
    expect(await collect(run)).toMatchObject({ got: [{}, {}, {}], error: null });
    // One of them had been charged and was lost.
    expect(service.charged).toBe(4);
    expect(run.tally).toMatchObject({ charged: 2, unconfirmed: 3 });
    const again = client.verifyAll(THREE, { journal });
    expect([(await collect(again)).error, again.tally.unconfirmed, again.tally.requests]).toEqual([null, 3, 0]);
  });

  test('is repeated within the ceiling of the whole list, and not beyond it', async () => {
    const { client, service } = world();
    const journal = await cutOff(service, client);
    const low = await collect(client.verifyAll(THREE, { journal, maxCredits: 2 }));
    expect(low.error).toMatchObject({ code: 'CEILING' });
    expect(service.charged).toBe(2);
    expect((await collect(client.verifyAll(THREE, { journal, maxCredits: 3 }))).error).toBe(null);
    expect(service.charged).toBe(3);
  });

  test('whose body the service refuses was never charged', async () => {
    const { client, service } = world();
    service.entriesMax = 2;
    const journal = memoryJournal();
    expect(await collect(client.verifyAll(THREE, { journal: mortal(journal, 1) }))).toMatchObject({ got: [] });
    expect((await journal.requests()).open).toHaveLength(1);
    const run = client.verifyAll(THREE, { journal, maxCredits: 3 });
    expect(await collect(run)).toMatchObject({ got: [{}, {}, {}], error: null });
    expect(run.tally).toMatchObject({ charged: 3, unconfirmed: 0 });
    expect((await journal.requests()).open).toEqual([]);
  });

  test('ten times over ends the run and says what asking anew may cost; the next run asks', async () => {
    const { client, service } = world({ maxRetries: 20 });
    service.cuts = Array.from({ length: 10 }, () => ({ written: 2, read: 1, ends: 'broken', lingers: 0 }) as const);
    const journal = memoryJournal();
    const first = await collect(client.verifyAll(THREE, { journal }));
    expect(first.error).toMatchObject({
      code: 'IDEMPOTENCY_LAPSED',
      message: expect.stringContaining('2 of its credits'),
    });
    expect(first.got).toHaveLength(1);
    const run = client.verifyAll(THREE, { journal });
    expect(await collect(run)).toMatchObject({ got: [{}, {}, {}], error: null });
    expect(service.charged).toBe(4);
    expect(run.tally).toMatchObject({ charged: 4, unconfirmed: 0 });
  });

  test('of a second round counts as the second round when it is resumed', async () => {
    const { client, service } = world();
    const journal = memoryJournal();
    service.says = () => GREYLISTED;
    await collect(client.verifyAll(THREE, { journal }));
    service.says = () => ({});
    service.cuts = [{ written: 2, read: 1, ends: 'broken', lingers: 0 }];
    const run = client.verifyAll(THREE, { journal: mortal(journal, 2), rounds: 2 });
    await collect(run);
    const last = client.verifyAll(THREE, { journal, rounds: 2 });
    const { got } = await collect(last);
    expect(got.map(({ asked, result }) => [asked, result.status])).toEqual(
      Array.from({ length: 3 }, () => [2, 'valid']),
    );
    expect(service.charged).toBe(6);
    expect(last.tally).toMatchObject({ charged: 6, unconfirmed: 0 });
  });
});

describe('an idempotencyKey of the caller', () => {
  test('makes a repeated call free, in another process too', async () => {
    const { client, service } = world();
    await client.verify(THREE, { idempotencyKey: 'order-77' });
    await client.verify(THREE, { idempotencyKey: 'order-77' });
    expect(service.charged).toBe(3);
  });

  test('is for one request or more, which only the list decides, and a repeat is free whatever its bytes', async () => {
    const { client, service } = world();
    const list = addresses(100, 7).map((email) => 'x'.repeat(700).concat(email));
    for (const inFlight of [1, 4]) await client.verify(list, { idempotencyKey: 'k'.repeat(200), inFlight });
    expect([service.charged, service.refusals, service.requests.length]).toEqual([100, [], 4]);
    const [first, second, ...again] = service.requests;
    expect(again.toSorted((one, other) => other.emails.length - one.emails.length)).toMatchObject([
      { emails: first?.emails, key: first?.key },
      { emails: second?.emails, key: second?.key },
    ]);
    for (const { key } of service.requests) expect(key.length).toBeLessThanOrEqual(255);
  });

  test('that was used for another list is refused, at no cost', async () => {
    const { client, service } = world();
    await client.verify(THREE, { idempotencyKey: 'order-77' });
    const other = client.verify(addresses(2), { idempotencyKey: 'order-77' });
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH', status: 422, retryable: false });
    expect(service.charged).toBe(3);
  });

  test.each([
    ['holds a line feed', THREE, { idempotencyKey: 'a\nb' }],
    ['is for a list of several requests', addresses(101), { idempotencyKey: 'k' }],
    ['is for several rounds', THREE, { idempotencyKey: 'k', rounds: 2 }],
  ])('that %s is refused', (_how, list, options) => {
    expect(() => world().client.verifyAll(list, options)).toThrow('idempotencyKey');
  });
});

test('request keys begin with the list id and are unique', async () => {
  const service = new ScriptedService();
  for (const list of [addresses(3), addresses(600)]) await clientOf(service).verify(list, { listId: 'list 7' });
  const keys = service.requests.map(({ key }) => key);
  expect(keys.length).toBeGreaterThan(2);
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) expect(key).toMatch(/^list 7-\d+$/);
});
