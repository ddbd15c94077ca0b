import { expect, test } from 'vitest';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import { DEFAULTS } from '../ports/settings.ts';
import { RAISE_AFTER_MS } from './server/concurrency-limit.ts';
import { ConnectionLimits } from './connection-limits.ts';
import type { LimitDecision, ConnectionPermit, ConnectionRequest } from './connection-request.ts';

// A server that bears few at once: those who wait for it, and the time after which it is tried with more.

const NEVER = new AbortController().signal;
const REQUEST: ConnectionRequest = {
  account: 0,
  domain: 'd.test',
  host: 'mx.p.test',
  ip: '11.1.1.1',
  family: 4,
  deadlineMs: 600_000,
  signal: NEVER,
};

function placeOf(entry: LimitDecision): ConnectionPermit {
  if (entry.kind !== 'go') throw new Error(entry.kind);
  return entry;
}

/** Two of account 0 are let in, and a third is turned away. */
async function narrowed() {
  const clock = new FakeClock();
  const limits = new ConnectionLimits(clock, [{ ip: null, heloName: 'probe.example.net' }], DEFAULTS.limits);
  const enter = async (over: Partial<ConnectionRequest> = {}): Promise<ConnectionPermit> =>
    placeOf(await limits.acquire({ ...REQUEST, ...over }));
  const inside = [await enter(), await enter()];
  for (const one of inside) one.accepted();
  const third = await enter();
  expect(await third.rejected(false)).toBe(2);
  third.release('neutral');
  return { clock, limits, enter, inside };
}

test('nobody is let in beside as many as are borne; who leaves lets in one, of the account that has the fewest', async () => {
  const { clock, enter, inside } = await narrowed();
  const came: number[] = [];
  const waiting = [0, 0, 1].map(async (account) => {
    const place = await enter({ account });
    came.push(account);
    return place;
  });
  await clock.advance(1_000);
  expect([came, inside.map((one) => one.isWanted())]).toEqual([[], [true, true]]);
  inside[0]?.release('served');
  await clock.advance(0);
  expect(came).toEqual([1]);
  inside[1]?.release('served');
  await clock.advance(0);
  expect(came).toEqual([1, 0]);
  (await waiting[2])?.release('served');
  for (const place of await Promise.all(waiting)) place.release('served');
  expect(clock.pending).toBe(0);
});

test('who waits goes in by himself once the server is tried with one more, and nobody else does', async () => {
  const { clock, enter } = await narrowed();
  let came = 0;
  for (const account of [1, 2]) void enter({ account }).then(() => (came += 1));
  await clock.advance(RAISE_AFTER_MS - 1);
  expect(came).toBe(0);
  await clock.advance(1);
  expect(came).toBe(1);
  await clock.advance(RAISE_AFTER_MS);
  expect([came, clock.pending]).toEqual([2, 0]);
});

test('another address, another of ours, and a batch that comes after the first have left do not wait', async () => {
  const { enter, inside } = await narrowed();
  expect((await enter({ ip: '11.1.1.2' })).egress.ip).toBeNull();
  for (const one of inside) one.release('served');
  const [first, second] = [await enter({ account: 1 }), await enter({ account: 2 })];
  expect([first.isWanted(), second.isWanted()]).toEqual([false, false]);
});
