import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Lane, Lanes } from '../ports/lane.ts';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import { DEFAULTS, type Egress, type LimitSettings } from '../ports/settings.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import { ConnectionLimits, type ConnectionRequest, type LimitDecision } from './connection-limits.ts';
import type { Permit, SessionResult } from './permit.ts';
import { ADDRESSES_MAX, Servers } from './servers.ts';

// Whole histories of connections: limits, turns, cool-downs, and the isolation of accounts.

const LISTED: ProviderLimits = {
  provider: 'listed',
  suffixes: ['listed.example'],
  connections: 3,
  recipients: null,
};
const SETTINGS: LimitSettings = {
  connections: { perAddress: 2, inAll: 5 },
  connectionsPerMinute: Infinity,
  invalidPerHour: Infinity,
  providers: [LISTED],
};
const ONE: readonly Egress[] = [{ ip: null, heloName: 'probe.example.net' }];
const REQUEST: ConnectionRequest = {
  account: 0,
  domain: 'd.test',
  provider: null,
  ip: '11.0.0.1',
  family: 4,
  deadlineMs: 600_000,
  signal: new AbortController().signal,
};

function limitsOf(settings: Partial<LimitSettings> = {}, egress = ONE) {
  const clock = new FakeClock();
  const limits = new ConnectionLimits(clock, egress, { ...DEFAULTS.limits, ...settings });
  const ask = (over: Partial<ConnectionRequest> = {}) => limits.acquire({ ...REQUEST, ...over });
  const enter = async (over: Partial<ConnectionRequest> = {}): Promise<Permit> => permitOf(await ask(over));
  return { clock, limits, ask, enter };
}

function permitOf(decision: LimitDecision): Permit {
  if (decision.kind !== 'go') throw new Error(decision.kind);
  return decision.permit;
}

/** Records the order in which connections start. */
function noting(asked: readonly (LimitDecision | Promise<LimitDecision>)[], names: readonly number[]) {
  const came: number[] = [];
  const permits: Permit[] = [];
  const note = async (name: number, one: LimitDecision | Promise<LimitDecision>): Promise<void> => {
    permits.push(permitOf(await one));
    came.push(name);
  };
  for (const [i, one] of asked.entries()) void note(names[i] ?? -1, one);
  return { came, permits };
}

const BLOCKED: SessionResult = { when: 'opening', why: 'blocked' };

const call = fc.record({
  account: fc.nat(3),
  ip: fc.constantFrom('11.0.0.1', '11.0.0.2', '11.0.0.3', '11.0.1.1'),
  provider: fc.constantFrom(null, LISTED),
  atMs: fc.nat(5_000),
  lastsMs: fc.integer({ min: 1, max: 3_000 }),
  patienceMs: fc.constantFrom(0, 1_000, 50_000),
  result: fc.constantFrom<SessionResult>('served', 'neutral', { when: 'rcpt', why: 'asked_too_much' }),
});

test('no semaphore exceeds its size, every waiter is answered in time, and no timer is left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 40 }), async (calls) => {
      const { clock, ask } = limitsOf(SETTINGS);
      const inside = new Set<(typeof calls)[number]>();
      let told = 0;
      const one = async (made: (typeof calls)[number]): Promise<void> => {
        await new Promise<void>((resolve) => {
          clock.after(made.atMs, resolve);
        });
        const gone = new AbortController();
        const disarm = clock.after(made.patienceMs, () => gone.abort());
        const deadlineMs = clock.now() + made.patienceMs;
        const decision = await ask({ ...made, signal: gone.signal, deadlineMs });
        disarm();
        told += 1;
        expect(clock.now()).toBeLessThanOrEqual(deadlineMs);
        if (decision.kind !== 'go') return;
        inside.add(made);
        const all = [...inside];
        expect(all.length).toBeLessThanOrEqual(5);
        expect(all.filter(({ ip }) => ip === made.ip).length).toBeLessThanOrEqual(2);
        expect(all.filter(({ provider }) => provider !== null).length).toBeLessThanOrEqual(3);
        await new Promise<void>((resolve) => {
          clock.after(made.lastsMs, resolve);
        });
        inside.delete(made);
        decision.permit.release(made.result);
      };
      await clock.finish(Promise.all(calls.map(one)));
      expect([told, clock.pending]).toEqual([calls.length, 0]);
    }),
    { numRuns: 200 },
  );
});

test.each([
  [1, 1],
  [2, 1],
  [4, 3],
  [5, 4],
  [10, 8],
])('with %i slots, an account that is alone gets %i, and a newcomer starts at once', async (perAddress, alone) => {
  const { ask } = limitsOf({ connections: { perAddress, inAll: 2_000 } });
  const asked = Array.from({ length: perAddress + 1 }, () => ask());
  expect(asked.filter((one) => !(one instanceof Promise))).toHaveLength(alone);
  if (perAddress > 1) expect(ask({ account: 1 })).not.toBeInstanceOf(Promise);
});

test('the account with the fewest starts in the last minute is next', async () => {
  const { clock, ask, enter } = limitsOf({ connections: { perAddress: 1, inAll: 2_000 } });
  for (let n = 0; n < 2; n += 1) (await enter()).release('served');
  (await enter({ account: 1 })).release('served');
  const holder = await enter({ account: 9 });
  const { came, permits } = noting([ask({ account: 1 }), ask({ account: 2 }), ask()], [1, 2, 0]);
  holder.release('served');
  for (let n = 0; n < 3; n += 1) {
    await clock.settle();
    permits.shift()?.release('served');
  }
  expect(came).toEqual([2, 1, 0]);
});

test('accounts that hold as many take turns if starts are not counted', async () => {
  const { clock, ask, enter } = limitsOf({ connections: { perAddress: 10, inAll: 1 } });
  const holder = await enter({ account: 9 });
  const { came, permits } = noting(
    [1, 1, 2, 2].map((account) => ask({ account })),
    [1, 1, 2, 2],
  );
  holder.release('served');
  for (let n = 0; n < 4; n += 1) {
    await clock.settle();
    permits.shift()?.release('served');
  }
  expect(came).toEqual([1, 2, 1, 2]);
});

test('a session is due at once for an account with two fewer, after two seconds for one fewer', async () => {
  const { clock, ask, enter } = limitsOf({ connections: { perAddress: 3, inAll: 2_000 } });
  const own = [await enter(), await enter()];
  const other = await enter({ account: 1 });
  expect(own[0]?.isDue()).toBe(false);
  const waiting = ask({ account: 2 });
  expect([own[0]?.isDue(), other.isDue()]).toEqual([true, false]);
  await clock.advance(2_000);
  expect(other.isDue()).toBe(true);
  own[0]?.release('served');
  expect(permitOf(await waiting).egress).toBe(ONE[0]);
});

test('a cool-down turns away waiting connections at once, and the next ones', async () => {
  const { ask, enter } = limitsOf({ connections: { perAddress: 1, inAll: 2_000 } });
  const holder = await enter();
  const waiting = ask({ account: 1 });
  holder.release(BLOCKED);
  expect(await waiting).toEqual({ kind: 'cooling', waitS: 3_600 });
  expect(ask({ account: 2 })).toEqual({ kind: 'cooling', waitS: 3_600 });
  expect(ask({ ip: '11.0.0.2' })).toMatchObject({ kind: 'go' });
});

test('an address of ours in cool-down is replaced by the other one', async () => {
  const two = ['11.9.0.1', '11.9.0.2'].map((ip) => ({ ip, heloName: 'probe.example.net' }));
  const { enter } = limitsOf({}, two);
  (await enter()).release(BLOCKED);
  for (let n = 0; n < 4; n += 1) {
    const permit = await enter({ account: n });
    expect(permit.egress.ip).toBe('11.9.0.2');
    permit.release('served');
  }
});

test('the address of ours that a lot chooses is used while it is free, except at a listed provider', async () => {
  const two = ['11.9.0.1', '11.9.0.2'].map((ip) => ({ ip, heloName: 'probe.example.net' }));
  const { enter } = limitsOf({ connections: { perAddress: 2, inAll: 2_000 } }, two);
  const from = async (over: Partial<ConnectionRequest>): Promise<string | null> => (await enter(over)).egress.ip;
  expect([await from({ lot: 0.9 }), await from({ lot: 0.9, account: 1 })]).toEqual(['11.9.0.2', '11.9.0.2']);
  expect(await from({ lot: 0.9, account: 2 })).toBe('11.9.0.1');
  const listed = { lot: 0.9, ip: '11.0.0.2', provider: LISTED };
  expect([await from(listed), await from({ ...listed, account: 1 })]).toEqual(['11.9.0.1', '11.9.0.2']);
});

test('a connection that cannot start before its deadline is refused at once, with the time to retry', async () => {
  const { ask, enter } = limitsOf({ connectionsPerMinute: 2 });
  (await enter()).release('served');
  expect(ask({ account: 1, deadlineMs: 10_000 })).not.toBeInstanceOf(Promise);
  expect(ask({ deadlineMs: 10_000 })).toMatchObject({ kind: 'cooling' });
});

test('a full server is lowered by one for half a minute, and its rejection is no evidence', async () => {
  const { clock, ask, enter } = limitsOf();
  const inside = [await enter(), await enter({ account: 1 }), await enter({ account: 2 })];
  for (const one of inside) one.accepted();
  const last = await enter({ account: 3 });
  expect(last.refused('closed')).toBe(true);
  last.release('neutral');
  const waiting = ask({ account: 3 });
  expect(waiting).toBeInstanceOf(Promise);
  await clock.advance(30_000);
  expect(permitOf(await waiting).refused('closed')).toBe(true);
});

test('a server that serves, and has had enough for now, rests for half a minute and then gets one at a time', async () => {
  const { clock, ask, enter } = limitsOf();
  (await enter()).release('served');
  const last = await enter();
  expect(last.refused('rate')).toBe(true);
  last.release('neutral');
  expect(ask({ deadlineMs: 20_000 })).toEqual({ kind: 'cooling', waitS: 30 });
  const { came, permits } = noting([ask({ account: 2 }), ask({ account: 3 })], [2, 3]);
  await clock.advance(29_999);
  expect(came).toEqual([]);
  await clock.advance(1);
  expect(came).toEqual([2]);
  permits[0]?.release('served');
  await clock.settle();
  expect(came).toEqual([2, 3]);
});

test.each(['full', 'closed', 'silent', 'named', 'rate', 'mail', 'rcpt'] as const)(
  'a connection that is rejected alone (%s) is evidence',
  async (how) => {
    const { enter } = limitsOf();
    expect((await enter()).refused(how)).toBe(false);
  },
);

test('an idle connection ends as soon as its slot is wanted, and not before', async () => {
  const { limits, ask, enter } = limitsOf({ connections: { perAddress: 1, inAll: 2_000 } });
  const idle = await enter();
  let ended = 0;
  limits.endIdle = (isInTheWay) => {
    if (!isInTheWay(idle)) return;
    ended += 1;
    idle.release('neutral');
  };
  expect(ask({ ip: '11.0.0.2' })).toMatchObject({ kind: 'go' });
  expect(ended).toBe(0);
  expect(permitOf(await ask({ account: 1 })).egress).toBe(ONE[0]);
  expect(ended).toBe(1);
});

test('a domain whose batch has no free lane lets others go first, and starts when it has one', async () => {
  const { clock, ask, enter } = limitsOf({ connections: { perAddress: 1, inAll: 2_000 } });
  const holder = await enter({ account: 9 });
  const lanes = new Lanes(0, () => {});
  const lane = new Lane(lanes);
  const { came, permits } = noting([ask({ lane }), ask({ account: 1 })], [0, 1]);
  holder.release('served');
  await clock.settle();
  permits.shift()?.release('served');
  await clock.settle();
  expect(came).toEqual([1]);
  lanes.vacate();
  await clock.settle();
  expect(came).toEqual([1, 0]);
});

test('the table of dialled addresses is bounded, whatever is in cool-down, and keeps those in use', () => {
  const servers = new Servers(new FakeClock(), DEFAULTS.limits, 0, () => {});
  servers.address('11.0.0.1', 0, false).semaphore.take(0);
  let most = 0;
  for (let n = 0; n < 2 * ADDRESSES_MAX; n += 1) {
    servers.address(`12.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, 0, false).coolDown.begin('blocked', 0);
    most = Math.max(most, servers.size);
  }
  expect(most).toBe(ADDRESSES_MAX);
  expect(servers.address('11.0.0.1', 0, false).semaphore.inUse).toBe(1);
});

test('an idle address is forgotten within two minutes, except in cool-down or after many recipients', async () => {
  const { clock, limits, enter } = limitsOf();
  const servers = new Servers(clock, DEFAULTS.limits, 0, () => {});
  const [resting, asked] = ['11.0.0.1', '11.0.0.2', '11.0.0.3'].map((ip) => servers.address(ip, clock.now(), false));
  resting?.coolDown.begin('blocked', clock.now());
  for (let n = 0; n < 100; n += 1) asked?.unknown.count(0);
  await clock.advance(60_000);
  servers.address('11.0.0.4', clock.now(), false);
  expect(servers.size).toBe(3);
  (await enter()).release(BLOCKED);
  expect([limits.cooling(), servers.cooling(clock.now())]).toEqual([1, 1]);
});
