import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import { COOL_FIRST_MS, COOL_MAX_MS, type Entry, type Leaving, Pace, type Visitor } from './pace.ts';
import { DEFAULT_PACE, type ProviderPace } from '../providers/provider-paces.ts';
import type { Egress } from '../ports/settings.ts';

const ONE: readonly Egress[] = [{ ip: null, heloName: 'probe.example.net' }];
const TWO: readonly Egress[] = [
  { ip: '11.0.0.1', heloName: 'one.example.net' },
  { ip: '11.0.0.2', heloName: 'two.example.net' },
];

function setUp(egress = ONE, rows: readonly ProviderPace[] = [DEFAULT_PACE]) {
  const clock = new FakeClock();
  return { clock, pace: new Pace(clock, egress, rows) };
}

function visitor(over: Partial<Visitor> = {}): Visitor {
  return { provider: 'p.test', family: 4, deadlineMs: 90_000, signal: new AbortController().signal, ...over };
}

async function enter(pace: Pace, over: Partial<Visitor> = {}): Promise<Extract<Entry, { kind: 'go' }>> {
  const entry = await pace.enter(visitor(over));
  if (entry.kind !== 'go') throw new Error(entry.kind);
  return entry;
}

async function visit(pace: Pace, how: Leaving, over: Partial<Visitor> = {}): Promise<void> {
  (await enter(pace, over)).leave(how);
}

test('twenty sessions at once go in, the next waits for one to leave', async () => {
  const { clock, pace } = setUp();
  const inside = await Promise.all(Array.from({ length: 20 }, () => enter(pace)));
  let late = false;
  const waiting = enter(pace).then(() => (late = true));
  await clock.advance(10_000);
  expect(late).toBe(false);
  inside[0]?.leave('good');
  await clock.settle();
  expect(late).toBe(true);
  await waiting;
  expect(clock.pending).toBe(0);
});

test('no minute sees more sessions than its row allows', async () => {
  const { clock, pace } = setUp();
  const starts: number[] = [];
  const work = Promise.all(
    Array.from({ length: 2000 }, async () => {
      const entry = await enter(pace, { deadlineMs: 1e9 });
      starts.push(clock.now());
      entry.leave('good');
    }),
  );
  await clock.finish(work);
  for (const [i, start] of starts.entries()) {
    const within = starts.slice(i).filter((other) => other < start + 60_000);
    expect(within.length).toBeLessThanOrEqual(600);
  }
  expect(clock.now()).toBeLessThan(4 * 60_000);
});

test('who waits is served in the order of coming', async () => {
  const { clock, pace } = setUp(ONE, [{ ...DEFAULT_PACE, sessions: 1 }]);
  const order: number[] = [];
  const work = Promise.all(
    [1, 2, 3].map(async (n) => {
      const entry = await enter(pace);
      order.push(n);
      clock.after(1, () => entry.leave('good'));
    }),
  );
  await clock.finish(work);
  expect(order).toEqual([1, 2, 3]);
});

test('a cool-down lasts 30 s, doubles to 15 minutes and halves with each success', async () => {
  const { clock, pace } = setUp();
  const far = { deadlineMs: 1e9 };
  const waits: number[] = [];
  const nextWait = async (): Promise<void> => {
    const from = clock.now();
    const entry = await clock.finish(enter(pace, far));
    waits.push(clock.now() - from);
    entry.leave('cool');
  };
  for (let i = 0; i < 8; i += 1) await nextWait();
  expect(waits).toEqual([0, 30_000, 60_000, 120_000, 240_000, 480_000, COOL_MAX_MS, COOL_MAX_MS]);
  // Two successes: 15 min → 7.5 → 3.75; the next cool-down doubles that.
  await clock.finish(visit(pace, 'good', far));
  await visit(pace, 'good', far);
  await visit(pace, 'cool', far);
  waits.length = 0;
  await nextWait();
  expect(waits).toEqual([COOL_MAX_MS / 2]);
});

test('successes end in a first cool-down of 30 s again, however many there are', async () => {
  const { clock, pace } = setUp();
  await visit(pace, 'cool');
  await clock.advance(COOL_FIRST_MS);
  await visit(pace, 'good');
  await visit(pace, 'good');
  await visit(pace, 'cool');
  expect(await pace.enter(visitor({ deadlineMs: clock.now() }))).toEqual({ kind: 'cooling', waitS: 30 });
});

test('a success after the second cool-down makes the next as long as that', async () => {
  const { clock, pace } = setUp();
  await visit(pace, 'cool');
  await clock.advance(COOL_FIRST_MS);
  await visit(pace, 'cool');
  await clock.advance(2 * COOL_FIRST_MS);
  await visit(pace, 'good');
  await visit(pace, 'cool');
  expect(await pace.enter(visitor({ deadlineMs: clock.now() }))).toEqual({ kind: 'cooling', waitS: 60 });
});

test('sessions that were open when the cool-down began do not double it', async () => {
  const { clock, pace } = setUp();
  const inside = await Promise.all([enter(pace), enter(pace), enter(pace)]);
  for (const entry of inside) entry.leave('cool');
  expect(await pace.enter(visitor({ deadlineMs: clock.now() }))).toEqual({ kind: 'cooling', waitS: 30 });
});

test('a cool-down past the deadline is told at once with its wait', async () => {
  const { clock, pace } = setUp();
  await visit(pace, 'cool');
  await clock.advance(10_500);
  expect(pace.enter(visitor({ deadlineMs: 29_000 }))).toEqual({ kind: 'cooling', waitS: 20 });
});

test('a cool-down that ends at the deadline is waited for', async () => {
  const { clock, pace } = setUp();
  await visit(pace, 'cool');
  await clock.finish(visit(pace, 'good', { deadlineMs: COOL_FIRST_MS }));
  expect(clock.now()).toBe(COOL_FIRST_MS);
});

test('a cool-down that is over holds up nobody, whatever the deadline', async () => {
  const { clock, pace } = setUp();
  await visit(pace, 'cool');
  await clock.advance(COOL_FIRST_MS);
  expect((await enter(pace, { deadlineMs: 1_000 })).kind).toBe('go');
});

test('a cool-down that begins while one waits is told to that one too', async () => {
  const { clock, pace } = setUp(ONE, [{ ...DEFAULT_PACE, sessions: 1 }]);
  const inside = await enter(pace);
  const waiting = pace.enter(visitor({ deadlineMs: 20_000 }));
  inside.leave('cool');
  await clock.settle();
  expect(await waiting).toEqual({ kind: 'cooling', waitS: 30 });
});

test('one provider that cools down does not hold up another', async () => {
  const { pace } = setUp();
  await visit(pace, 'cool');
  expect((await enter(pace, { provider: 'q.test' })).kind).toBe('go');
  expect(pace.cooling()).toBe(1);
});

test('an egress address that does not cool down is taken, of several the least used', async () => {
  const { pace } = setUp(TWO);
  const first = await enter(pace);
  const second = await enter(pace);
  expect(new Set([first.egress.ip, second.egress.ip])).toEqual(new Set(['11.0.0.1', '11.0.0.2']));
  first.leave('cool');
  second.leave('good');
  expect(pace.cooling()).toBe(1);
  for (let i = 0; i < 5; i += 1) expect((await enter(pace)).egress).toEqual(second.egress);
});

test('an egress address with fewer sessions is taken, even if it was asked more lately', async () => {
  const { pace } = setUp(TWO);
  const [one, two] = [await enter(pace), await enter(pace)];
  one.leave('good');
  const again = await enter(pace);
  expect([again.egress, two.egress]).toEqual([TWO[0], TWO[1]]);
  again.leave('good');
  expect((await enter(pace)).egress).toEqual(TWO[0]);
});

test('half of what a minute may see goes in at once, the rest at even spaces', async () => {
  const { clock, pace } = setUp(ONE, [{ provider: 'p.test', sessions: 20, sessionsPerMinute: 7, recipients: null }]);
  const starts: number[] = [];
  const work = Promise.all(
    [1, 2, 3, 4, 5].map(async () => {
      await enter(pace, { deadlineMs: 1e9 });
      starts.push(clock.now());
    }),
  );
  await clock.finish(work);
  expect(starts).toEqual([0, 0, 0, 15_000, 30_000]);
});

test('without an egress address of the family nothing can be dialled', async () => {
  const { pace } = setUp(TWO);
  expect(await pace.enter(visitor({ family: 6 }))).toEqual({ kind: 'no_egress' });
});

test('who waits when the batch ends is let go', async () => {
  const { clock, pace } = setUp(ONE, [{ ...DEFAULT_PACE, sessions: 1 }]);
  await enter(pace);
  const controller = new AbortController();
  const waiting = pace.enter(visitor({ signal: controller.signal }));
  controller.abort();
  expect(await waiting).toEqual({ kind: 'ended' });
  expect(await pace.enter(visitor({ signal: controller.signal }))).toEqual({ kind: 'ended' });
  expect(clock.pending).toBe(0);
});

test('who was let go takes no session from those who still wait', async () => {
  const { clock, pace } = setUp(ONE, [{ ...DEFAULT_PACE, sessions: 1 }]);
  const inside = await enter(pace);
  const batch = new AbortController();
  const gone = pace.enter(visitor({ signal: batch.signal }));
  const waiting = enter(pace);
  batch.abort();
  expect(await gone).toEqual({ kind: 'ended' });
  inside.leave('good');
  (await clock.finish(waiting)).leave('good');
  expect((await clock.finish(enter(pace))).kind).toBe('go');
});

test('one who waits costs one timer and one listener, and none once served', async () => {
  const { clock, pace } = setUp(ONE, [{ provider: 'p.test', sessions: 5, sessionsPerMinute: 1, recipients: null }]);
  const batch = new AbortController();
  await visit(pace, 'good');
  const waiting = [1, 2, 3].map(() => visit(pace, 'good', { deadlineMs: 1e9, signal: batch.signal }));
  expect([clock.pending, getEventListeners(batch.signal, 'abort').length]).toEqual([1, 3]);
  await clock.finish(Promise.all(waiting));
  expect([clock.pending, getEventListeners(batch.signal, 'abort').length]).toEqual([0, 0]);
});

test('leaving twice counts once', async () => {
  const { clock, pace } = setUp(ONE, [{ ...DEFAULT_PACE, sessions: 1 }]);
  const entry = await enter(pace);
  entry.leave('good');
  entry.leave('good');
  await clock.finish(enter(pace));
  await clock.advance(60_000);
  let third: Entry | null = null;
  void Promise.resolve(pace.enter(visitor())).then((admitted) => (third = admitted));
  await clock.advance(60_000);
  expect(third).toBeNull();
});

test('idle providers are forgotten, those that cool down are not', async () => {
  const { clock, pace } = setUp();
  await visit(pace, 'cool', { provider: 'cool.test' });
  for (let i = 0; i < 5000; i += 1) {
    await visit(pace, 'good', { provider: `p${i}.test` });
    if (i % 1000 === 0) await clock.advance(1000);
  }
  expect(pace.size).toBeLessThan(3000);
  expect(await pace.enter(visitor({ provider: 'cool.test', deadlineMs: clock.now() }))).toMatchObject({
    kind: 'cooling',
  });
});

test.each<[what: string, perMinute: number, spoil: (pace: Pace) => Promise<unknown>]>([
  ['has an open session', 600, (pace) => enter(pace, { provider: 'busy.test' })],
  ['was just asked', 1, (pace) => visit(pace, 'good', { provider: 'busy.test' })],
])('a provider that %s is not forgotten', async (_, sessionsPerMinute, spoil) => {
  const row = { provider: 'busy.test', sessions: 1, sessionsPerMinute, recipients: null };
  const { clock, pace } = setUp(ONE, [row, DEFAULT_PACE]);
  await spoil(pace);
  for (let i = 0; i < 3000; i += 1) {
    await visit(pace, 'good', { provider: `p${i}.test` });
    if (i % 1000 === 0) await clock.advance(1000);
  }
  const entry = pace.enter(visitor({ provider: 'busy.test' }));
  expect(entry).toBeInstanceOf(Promise);
});

test('a provider that cools down at one egress address only is not forgotten', async () => {
  const { clock, pace } = setUp(TWO);
  await visit(pace, 'cool', { provider: 'cool.test' });
  for (let i = 0; i < 3000; i += 1) {
    await visit(pace, 'good', { provider: `p${i}.test` });
    if (i % 1000 === 0) await clock.advance(1000);
  }
  expect(pace.cooling()).toBe(1);
});

test('without rows every provider has the default', () => {
  expect(setUp(ONE, []).pace.row('p.test')).toEqual(DEFAULT_PACE);
});

test('a row with few sessions a minute holds', async () => {
  const { clock, pace } = setUp(ONE, [{ provider: 'p.test', sessions: 5, sessionsPerMinute: 1, recipients: null }]);
  await visit(pace, 'good');
  await clock.finish(visit(pace, 'good'));
  expect(clock.now()).toBe(60_000);
});
