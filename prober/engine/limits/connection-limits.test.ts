import { expect, test } from 'vitest';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import { DEFAULTS, type Egress, type LimitSettings } from '../ports/settings.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import { type Complaint } from './server/complaint.ts';
import { COOL_DOWNS } from './server/cool-down.ts';
import { HOST_RECORDS_MAX } from './host-records.ts';
import { ConnectionLimits } from './connection-limits.ts';
import type { LimitDecision, SessionResult, ConnectionRequest } from './connection-request.ts';

// One file for one class: its bounds, turns and rests act on each other, and each is shown with the others at work.

const FIRST_MS = COOL_DOWNS.asked_too_much.firstMs;
const LONGEST_MS = COOL_DOWNS.asked_too_much.longestMs;
const COOL: Complaint = { when: 'opening', why: 'asked_too_much' };
const BLOCKED: Complaint = { when: 'opening', why: 'blocked' };
const REFUSED: Complaint = { when: 'rcpt', why: 'asked_too_much' };
const ONE: readonly Egress[] = [{ ip: null, heloName: 'probe.example.net' }];
const TWO: readonly Egress[] = [
  { ip: '11.0.0.1', heloName: 'one.example.net' },
  { ip: '11.0.0.2', heloName: 'two.example.net' },
];
const LISTED: ProviderLimits = {
  provider: 'listed',
  suffixes: ['listed.example'],
  connections: 3,
  connectionsPerMinute: Infinity,
  recipients: null,
  invalidPerHour: null,
};
const NEVER = new AbortController().signal;
/** One connection at a time to an address. */
const SINGLE: Partial<LimitSettings> = {
  connections: { perAddress: 1, perNetwork: 100, inAll: 2000 },
  connectionsPerMinute: Infinity,
};

function setUp(changes: Partial<LimitSettings> = {}, egress = ONE) {
  const clock = new FakeClock();
  return { clock, limits: new ConnectionLimits(clock, egress, { ...DEFAULTS.limits, ...changes }) };
}

function visitor(over: Partial<ConnectionRequest> = {}): ConnectionRequest {
  return {
    account: 0,
    accountClass: 'free',
    domain: 'd.test',
    host: 'mx.p.test',
    ip: '11.1.1.1',
    family: 4,
    deadlineMs: 90_000,
    signal: NEVER,
    ...over,
  };
}

async function enter(
  limits: ConnectionLimits,
  over: Partial<ConnectionRequest> = {},
): Promise<Extract<LimitDecision, { kind: 'go' }>> {
  const entry = await limits.acquire(visitor(over));
  if (entry.kind !== 'go') throw new Error(entry.kind);
  return entry;
}

async function visit(
  limits: ConnectionLimits,
  how: SessionResult,
  over: Partial<ConnectionRequest> = {},
): Promise<void> {
  (await enter(limits, over)).release(how);
}

/** What somebody who has no time at all is told. */
function told(limits: ConnectionLimits, clock: FakeClock, over: Partial<ConnectionRequest> = {}): unknown {
  const entry = limits.acquire(visitor({ deadlineMs: clock.now(), ...over }));
  if (!(entry instanceof Promise) && entry.kind === 'go') entry.release('neutral');
  return entry instanceof Promise ? 'waits' : entry.kind === 'cooling' ? entry.waitS : entry.kind;
}

test('ten connections at once go in, the next waits for one to leave', async () => {
  const { clock, limits } = setUp();
  const inside = await Promise.all(Array.from({ length: 10 }, () => enter(limits)));
  let late = false;
  const waiting = enter(limits).then(() => (late = true));
  await clock.advance(10_000);
  expect(late).toBe(false);
  inside[0]?.release('served');
  await clock.settle();
  expect(late).toBe(true);
  await waiting;
  expect(clock.pending).toBe(0);
});

test('no minute sees more connections to one address than are allowed', async () => {
  const { clock, limits } = setUp();
  const starts: number[] = [];
  const work = Promise.all(
    Array.from({ length: 2000 }, async () => {
      const entry = await enter(limits, { deadlineMs: 1e9 });
      starts.push(clock.now());
      entry.release('served');
    }),
  );
  await clock.finish(work);
  for (const [i, start] of starts.entries()) {
    const within = starts.slice(i).filter((other) => other < start + 60_000);
    expect(within.length).toBeLessThanOrEqual(100);
  }
  expect(clock.now()).toBeLessThan(24 * 60_000);
});

test('of one account who waits is served in the order of coming', async () => {
  const { clock, limits } = setUp(SINGLE);
  const order: number[] = [];
  const work = Promise.all(
    [1, 2, 3].map(async (n) => {
      const entry = await enter(limits);
      order.push(n);
      clock.after(1, () => entry.release('served'));
    }),
  );
  await clock.finish(work);
  expect(order).toEqual([1, 2, 3]);
});

test('one visitor of an account is served within a turn, though a thousand of another wait at the address', async () => {
  const { clock, limits } = setUp();
  let others = 0;
  const crowd = Promise.all(
    Array.from({ length: 1000 }, async () => {
      const entry = await enter(limits, { account: 1, deadlineMs: 1e9 });
      others += 1;
      clock.after(1000, () => entry.release('served'));
    }),
  );
  await clock.settle();
  expect(others).toBe(10);
  await clock.finish(visit(limits, 'served', { account: 2 }));
  expect(others).toBeLessThanOrEqual(11);
  expect(clock.now()).toBe(1000);
  await clock.finish(crowd);
});

test.each([
  ['a network', { perAddress: 20, perNetwork: 30, inAll: 2000 }, 4, (i: number) => `11.1.1.${i}`, 1000],
  ['an IPv6 network', { perAddress: 20, perNetwork: 30, inAll: 2000 }, 6, (i: number) => `2600:0:1:${i}::1`, 1000],
  ['the whole host', { perAddress: 20, perNetwork: 100, inAll: 60 }, 4, (i: number) => `11.1.${i}.1`, 0],
] as const)(
  '%s has a bound over all its addresses (an account alone has half of the host), and serves accounts in turn',
  async (_what, connections, family, ipOf, waitsMs) => {
    const { clock, limits } = setUp({ connections });
    let inside = 0;
    let most = 0;
    const go = async (account: number, i: number): Promise<void> => {
      const entry = await enter(limits, { account, ip: ipOf(i), family, deadlineMs: 1e9 });
      inside += 1;
      most = Math.max(most, inside);
      clock.after(1000, () => {
        inside -= 1;
        entry.release('served');
      });
    };
    const crowd = Promise.all(Array.from({ length: 200 }, (_, i) => go(1, i % 100)));
    await clock.settle();
    expect(inside).toBe(30);
    await clock.finish(go(2, 150));
    expect(clock.now()).toBe(waitsMs);
    await clock.finish(crowd);
    expect(most).toBe(waitsMs > 0 ? 30 : 31);
    expect(limits.size.networks).toBeGreaterThan(0);
    await clock.advance(1000);
    expect(limits.size.networks).toBe(0);
    expect(clock.pending).toBe(0);
  },
);

test('a listed provider has one limit over all its names and networks, and other hosts do not count towards it', async () => {
  const { clock, limits } = setUp({ providers: [LISTED] });
  for (const i of [1, 2, 3]) await enter(limits, { host: `mx${i}.listed.example`, ip: `11.${i}.1.1` });
  let fourth = false;
  void enter(limits, { host: 'mx4.listed.example', ip: '11.4.1.1' }).then(() => (fourth = true));
  for (const host of ['mx.listed.example.attacker.test', 'notlisted.example', 'mx.attacker.test'])
    expect((await enter(limits, { host, ip: '11.1.1.1' })).kind).toBe('go');
  await clock.settle();
  expect(fourth).toBe(false);
});

test('a rest lasts 30 s, doubles to 15 minutes and halves with each success', async () => {
  const { clock, limits } = setUp();
  const far = { deadlineMs: 1e9 };
  const waits: number[] = [];
  const nextWait = async (): Promise<void> => {
    const from = clock.now();
    const entry = await clock.finish(enter(limits, far));
    waits.push(clock.now() - from);
    entry.release(COOL);
  };
  for (let i = 0; i < 8; i += 1) await nextWait();
  expect(waits).toEqual([0, 30_000, 60_000, 120_000, 240_000, 480_000, LONGEST_MS, LONGEST_MS]);
  // Two successes: 15 min → 7.5 → 3.75; the next rest doubles that.
  await clock.finish(visit(limits, 'served', far));
  await visit(limits, 'served', far);
  await visit(limits, COOL, far);
  waits.length = 0;
  await nextWait();
  expect(waits).toEqual([LONGEST_MS / 2]);
});

test('successes end in a first rest of 30 s again', async () => {
  const { clock, limits } = setUp();
  await visit(limits, COOL);
  await clock.advance(FIRST_MS);
  await visit(limits, 'served');
  await visit(limits, COOL);
  expect(told(limits, clock)).toBe(30);
});

test('words that we are blocked rest an address for an hour, twice as long the next time, four at most', async () => {
  const { clock, limits } = setUp();
  const waits: unknown[] = [];
  for (let i = 0; i < 4; i += 1) {
    await clock.finish(visit(limits, BLOCKED, { deadlineMs: 1e9 }), 1e9);
    waits.push(told(limits, clock));
  }
  expect(waits).toEqual([3600, 7200, 14_400, 14_400]);
});

test('being blocked is heard even from a session that was open when a short rest began', async () => {
  const { clock, limits } = setUp();
  const open = await enter(limits);
  await visit(limits, COOL);
  open.release(BLOCKED);
  expect(told(limits, clock)).toBe(3600);
});

test('sessions that were open when the rest began do not double it', async () => {
  const { clock, limits } = setUp();
  const inside = await Promise.all([enter(limits), enter(limits), enter(limits)]);
  for (const entry of inside) entry.release(COOL);
  expect(told(limits, clock)).toBe(30);
});

test('a rest past the deadline is told at once with its wait', async () => {
  const { clock, limits } = setUp();
  await visit(limits, COOL);
  await clock.advance(10_500);
  expect(limits.acquire(visitor({ deadlineMs: 29_999 }))).toEqual({ kind: 'cooling', waitS: 20 });
  expect((await clock.finish(enter(limits, { deadlineMs: FIRST_MS }))).kind).toBe('go');
  expect(clock.now()).toBe(FIRST_MS);
});

test('a rest that begins is told at once to all who wait and cannot outwait it, wherever they stand', async () => {
  const connections = { perAddress: 1, perNetwork: 100, inAll: 2 };
  const { clock, limits } = setUp({ connections });
  const inside = await enter(limits);
  await enter(limits, { account: 8, ip: '11.9.9.9' });
  const hasty = [1, 2, 3].map(async (account) => limits.acquire(visitor({ account, deadlineMs: 20_000 })));
  const patient = limits.acquire(visitor({ account: 1, deadlineMs: 40_000 }));
  inside.release(COOL);
  expect(await Promise.all(hasty)).toEqual(hasty.map(() => ({ kind: 'cooling', waitS: 30 })));
  expect(await clock.finish(Promise.resolve(patient))).toMatchObject({ kind: 'go' });
  expect(clock.now()).toBe(30_000);
});

test('an address that cools down delays no other one, even of the same name or network', async () => {
  const { clock, limits } = setUp();
  await visit(limits, COOL, { host: 'ec2-11-1-1-1.compute.amazonaws.com' });
  expect(limits.cooling()).toBe(1);
  expect(told(limits, clock, { host: 'ec2-11-1-1-1.compute.amazonaws.com', ip: '11.1.1.2' })).toBe('go');
  expect(told(limits, clock, { host: 'another.test' })).toBe(30);
});

test('a listed provider rests as a whole once three of its addresses do within a minute', async () => {
  const { clock, limits } = setUp({ providers: [LISTED] });
  const host = 'mx.listed.example';
  const cool = (ip: string, name = host) => visit(limits, COOL, { host: name, ip });
  await cool('11.1.0.1');
  await cool('11.1.0.2');
  await cool('11.1.0.3', 'mx.listed.example.attacker.test');
  expect(told(limits, clock, { host, ip: '11.1.0.9' })).toBe('go');
  await clock.advance(60_001);
  await cool('11.1.0.4');
  await cool('11.1.0.5');
  expect(told(limits, clock, { host, ip: '11.1.0.9' })).toBe('go');
  await cool('11.1.0.6');
  expect(told(limits, clock, { host, ip: '11.1.0.9' })).toBe(30);
  expect(told(limits, clock, { host: 'mx.attacker.test', ip: '11.1.0.9' })).toBe('go');
});

test('refusals at RCPT rest an address only after three domains in a row', async () => {
  const { clock, limits } = setUp();
  const refuse = (domain: string, account = 1) => visit(limits, REFUSED, { domain, account });
  for (const domain of ['a.test', 'b.test', 'a.test', 'b.test']) await refuse(domain);
  await visit(limits, 'served', { account: 2 });
  for (const domain of ['c.test', 'd.test']) await refuse(domain);
  expect(told(limits, clock, { account: 1 })).toBe('go');
  await refuse('e.test');
  expect(told(limits, clock, { account: 1 })).toBe(30);
  expect([told(limits, clock, { account: 2 }), limits.cooling()]).toEqual(['go', 0]);
  for (const domain of ['v.test', 'w.test', 'x.test']) await refuse(domain, 2);
  expect(told(limits, clock, { account: 3 })).toBe('go');
  await visit(limits, REFUSED, { domain: 'y.test', account: 4, accountClass: 'bought' });
  expect([told(limits, clock, { account: 3 }), limits.cooling()]).toEqual([30, 1]);
});

test('an account whose own rest begins is told so while it waits, others go on', async () => {
  const { clock, limits } = setUp(SINGLE);
  for (const domain of ['a.test', 'b.test']) await visit(limits, REFUSED, { domain, account: 1 });
  const inside = await enter(limits, { account: 1, domain: 'c.test' });
  const waits = [1, 2].map(async (account) => limits.acquire(visitor({ account, deadlineMs: 20_000 })));
  inside.release(REFUSED);
  await clock.settle();
  expect(await Promise.all(waits)).toMatchObject([{ kind: 'cooling', waitS: 30 }, { kind: 'go' }]);
});

test('an account whose own rest begins while it waits outwaits it, and nothing is left of it in the end', async () => {
  const { clock, limits } = setUp(SINGLE);
  const domains = ['a.test', 'b.test', 'c.test'];
  const inside = await enter(limits, { account: 2 });
  const work = domains.map(async (domain) => {
    const entry = await enter(limits, { account: 1, domain });
    clock.after(1, () => entry.release(REFUSED));
  });
  const patient = enter(limits, { account: 1, domain: 'd.test' }).then((entry) => entry.release('neutral'));
  inside.release('neutral');
  await Promise.all(work.map((one) => clock.finish(one)));
  await clock.finish(patient);
  expect(clock.now()).toBe(30_003);
  await clock.advance(24 * 3_600_000);
  await visit(limits, 'neutral', { ip: '11.2.2.2' });
  expect(limits.size.addresses).toBe(1);
});

test('who is stopped at a narrow height leaves the place at the wide one to the next of its account', async () => {
  const { clock, limits } = setUp({ connections: { perAddress: 1, perNetwork: 100, inAll: 2 } });
  await enter(limits, { ip: '11.1.1.1' });
  const leaves = await enter(limits, { account: 8, ip: '11.2.2.2' });
  void limits.acquire(visitor({ account: 1, ip: '11.1.1.1' }));
  const next = enter(limits, { account: 1, ip: '11.3.3.3' });
  leaves.release('neutral');
  await clock.settle();
  expect((await next).kind).toBe('go');
});

test('who stood behind another of its account goes on when the address of that one rests', async () => {
  const { clock, limits } = setUp({ connections: { perAddress: 20, perNetwork: 1, inAll: 2 } });
  const first = await enter(limits, { ip: '11.1.1.1' });
  const rests = enter(limits, { account: 1, ip: '11.1.1.1' });
  const stays = enter(limits, { account: 1, ip: '11.1.1.2' });
  const second = await enter(limits, { account: 8, ip: '11.2.2.2' });
  const other = enter(limits, { account: 2, ip: '11.3.3.3' });
  first.release(COOL);
  await other;
  second.release('neutral');
  await clock.settle();
  const entry = await stays;
  expect(clock.now()).toBe(0);
  entry.release('neutral');
  expect((await clock.finish(rests)).kind).toBe('go');
});

test('who stood behind another of its account goes on when that one gives up', async () => {
  const { clock, limits } = setUp({ connections: { perAddress: 20, perNetwork: 1, inAll: 2 } });
  const first = await enter(limits, { ip: '11.1.1.1' });
  const abort = new AbortController();
  const gone = limits.acquire(visitor({ account: 1, ip: '11.1.1.2', signal: abort.signal }));
  const stays = enter(limits, { account: 1, ip: '11.1.1.3' });
  const second = await enter(limits, { account: 8, ip: '11.2.2.2' });
  const other = enter(limits, { account: 2, ip: '11.3.3.3' });
  // The other one takes the place; of account 1 one stands for both where all connections are counted.
  first.release('neutral');
  await other;
  abort.abort();
  expect(await gone).toEqual({ kind: 'ended' });
  second.release('neutral');
  await clock.settle();
  expect((await stays).kind).toBe('go');
});

test('an egress address that does not rest is taken, of several the least used', async () => {
  const { limits } = setUp({}, TWO);
  const first = await enter(limits);
  const second = await enter(limits);
  expect(new Set([first.egress.ip, second.egress.ip])).toEqual(new Set(['11.0.0.1', '11.0.0.2']));
  first.release(COOL);
  second.release('served');
  for (let i = 0; i < 5; i += 1) expect((await enter(limits)).egress).toEqual(second.egress);
});

test('who waits at an egress address that begins to rest goes over to one that does not', async () => {
  const { clock, limits } = setUp(SINGLE, TWO);
  const [first, second] = [await enter(limits), await enter(limits)];
  const from: (string | null)[] = [];
  const waiting = [1, 2].map(async () => {
    const entry = await enter(limits, { deadlineMs: 20_000 });
    from.push(entry.egress.ip);
    entry.release('served');
  });
  first.release(COOL);
  second.release('served');
  await clock.finish(Promise.all(waiting));
  expect([from, clock.now()]).toEqual([[second.egress.ip, second.egress.ip], 0]);
});

test('who gave up waiting at an egress address does not make it look busier', async () => {
  const { limits } = setUp(SINGLE, TWO);
  const [first, second] = [await enter(limits), await enter(limits)];
  const abort = new AbortController();
  const waiting = limits.acquire(visitor({ signal: abort.signal }));
  abort.abort();
  expect(await waiting).toEqual({ kind: 'ended' });
  for (const entry of [first, second]) entry.release('neutral');
  expect((await enter(limits)).egress.ip).toBe('11.0.0.1');
});

test('of egress addresses equally busy, the one that was not used for longest is taken', async () => {
  const { clock, limits } = setUp({}, TWO);
  const used: (string | null)[] = [];
  for (let n = 0; n < 4; n += 1) {
    const entry = await enter(limits);
    used.push(entry.egress.ip);
    entry.release('served');
    await clock.advance(1000);
  }
  expect(used).toEqual(['11.0.0.1', '11.0.0.2', '11.0.0.1', '11.0.0.2']);
});

test('without an egress address of the family nothing can be dialled', async () => {
  const { limits } = setUp({}, TWO);
  expect(await limits.acquire(visitor({ family: 6, ip: '2600::1' }))).toEqual({ kind: 'no_egress' });
});

test('who waits when the batch ends is let go', async () => {
  const { clock, limits } = setUp(SINGLE);
  const inside = await enter(limits);
  const controller = new AbortController();
  const waiting = limits.acquire(visitor({ signal: controller.signal }));
  controller.abort();
  expect(await waiting).toEqual({ kind: 'ended' });
  expect(await limits.acquire(visitor({ signal: controller.signal }))).toEqual({ kind: 'ended' });
  inside.release('neutral');
  expect([clock.pending, limits.size.networks]).toEqual([0, 0]);
});

test('leaving twice counts once', async () => {
  const { clock, limits } = setUp(SINGLE);
  const entry = await enter(limits);
  entry.release('served');
  entry.release('served');
  await clock.finish(enter(limits));
  let third: LimitDecision | null = null;
  void Promise.resolve(limits.acquire(visitor())).then((admitted) => (third = admitted));
  await clock.advance(60_000);
  expect(third).toBeNull();
});

test('few connections a minute hold', async () => {
  const { clock, limits } = setUp({ connectionsPerMinute: 1 });
  await visit(limits, 'served');
  await clock.finish(visit(limits, 'served'));
  expect(clock.now()).toBe(60_000);
});

test('a rest that is over holds up nobody, not even one whose own deadline has passed', async () => {
  const { clock, limits } = setUp();
  await visit(limits, COOL);
  await clock.advance(FIRST_MS + 10_000);
  expect((await limits.acquire(visitor({ deadlineMs: 10_000 }))).kind).toBe('go');
});

test('100,000 addresses leave no more behind than the bound, none of them once it is idle', async () => {
  const { clock, limits } = setUp();
  const busy = await enter(limits, { ip: '11.0.0.1' });
  for (let n = 0; n < 100_000; n += 1) {
    const ip = `12.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    const entry = limits.acquire(visitor({ ip, account: n, domain: `d${n}.test` }));
    if (!(entry instanceof Promise) && entry.kind === 'go') entry.release(BLOCKED);
  }
  expect(limits.size.addresses).toBeLessThanOrEqual(HOST_RECORDS_MAX);
  expect(limits.size.networks).toBe(1);
  // The address in use has kept its count.
  for (let n = 1; n < 10; n += 1) await enter(limits, { ip: '11.0.0.1' });
  expect(told(limits, clock, { ip: '11.0.0.1' })).toBe('waits');
  busy.release('neutral');
  await clock.advance(24 * 3_600_000);
  for (let n = 0; n < 5001; n += 1) {
    await visit(limits, 'served', { ip: `13.0.${n >> 8}.${n & 255}` });
    if (n % 500 === 0) await clock.advance(60_000);
  }
  expect(limits.size.addresses).toBeLessThan(600);
}, 30_000);

test('10,000 accounts refused at one address leave no more behind than its bounds', async () => {
  const { clock, limits } = setUp({ connectionsPerMinute: Infinity });
  for (let account = 0; account < 10_000; account += 1) {
    await visit(limits, 'served', { account: -1 });
    for (let n = 0; n < 3; n += 1) await visit(limits, REFUSED, { account, domain: `d${n}.test` });
  }
  expect([told(limits, clock, { account: 9_999 }), told(limits, clock, { account: 0 })]).toEqual([30, 'go']);
  expect(told(limits, clock, { account: 10_000 })).toBe('go');
});

/** One of two egress addresses rests for an hour at one mail host. */
function restsUntil(from: string | null, host: string): number {
  return host === 'mx.p.test' && from === '11.0.0.1' ? 3_600_000 : 0;
}

test('what is left to another host is not asked from that address, at no cost of waiting', async () => {
  const { limits } = setUp({}, TWO);
  for (let n = 0; n < 3; n += 1) expect((await enter(limits, { restsUntil })).egress.ip).toBe('11.0.0.2');
  expect((await enter(limits, { restsUntil, host: 'mx.q.test', ip: '11.2.2.2' })).egress.ip).toBe('11.0.0.1');
  expect(limits.acquire(visitor({ restsUntil: () => 3_600_000 }))).toEqual({ kind: 'cooling', waitS: 3_600 });
  expect((await enter(limits)).kind).toBe('go');
});

test('an account whose turn comes too late at a receiver that bears few is heard at once, and others are not', async () => {
  const { clock, limits } = setUp();
  // As many as begin at once.
  for (let n = 0; n < 29; n += 1) {
    const permit = await enter(limits);
    permit.accepted();
    permit.release('served');
  }
  const next = await enter(limits);
  const soon = limits.acquire(visitor({ deadlineMs: clock.now() + 40_000 }));
  const late = Array.from({ length: 60 }, () => limits.acquire(visitor({ deadlineMs: clock.now() + 90_000 })));
  expect(next.deferred('opening')).toBe(true);
  next.release('neutral');
  expect(await soon).toMatchObject({ kind: 'cooling' });
  const heard: LimitDecision[] = [];
  for (const one of late) void Promise.resolve(one).then((decision) => heard.push(decision));
  await clock.settle();
  // Nine at once when the minute is over, and one every 2.3 s until the deadline.
  expect(heard.every(({ kind }) => kind === 'cooling')).toBe(true);
  expect(heard.length).toBeGreaterThan(35);
  expect(heard.length).toBeLessThan(45);
  expect(limits.acquire(visitor({ deadlineMs: clock.now() + 90_000 }))).toMatchObject({ kind: 'cooling' });
  const other = limits.acquire(visitor({ account: 1, deadlineMs: clock.now() + 90_000 }));
  await clock.advance(61_000);
  expect(await other).toMatchObject({ kind: 'go' });
  await clock.advance(30_000);
  expect(heard.filter(({ kind }) => kind === 'go').length).toBeGreaterThan(0);
});
