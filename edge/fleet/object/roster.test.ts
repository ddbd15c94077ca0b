import { describe, expect, it } from 'vitest';
import { DELIVERABLE } from '../../../schema/testing/evidence.ts';
import { SILENT } from '../../../schema/words/fleet-troubles.ts';
import { LyingFleet } from '../../testing/lying-fleet.ts';
import { status } from '../../testing/scripted-links.ts';
import { NEW_RECORD, works } from '../trust/host-record.ts';

const ONE = ['well.test'];

describe('a host that leaves its jobs unanswered', () => {
  it('is reported after three of them, and is healthy again with the first that it answers', async () => {
    const fleet = new LyingFleet({ a: () => DELIVERABLE });
    fleet.slow.add('a');
    for (let n = 0; n < 3; n += 1) {
      expect(fleet.complaint('a')).toBeNull();
      await fleet.ask('account', ONE);
      await fleet.clock.advance(60_000);
      fleet.dialIn('a');
    }
    expect(fleet.complaint('a')).toBe('leaves every job unanswered');
    expect(fleet.logged.filter((line) => line.startsWith('host_unhealthy'))).toHaveLength(1);
    fleet.slow.clear();
    await fleet.ask('account', ONE);
    expect(fleet.complaint('a')).toBeNull();
    expect(fleet.logged.at(-1)).toMatch(/^host_healthy a/);
  });
});

describe('the word of a host in case of doubt', () => {
  const shown = { healthy: true, checked: true, reachedAtMs: -Infinity };

  it.each([
    ['with canaries that pass', shown, true],
    ['whose self-check fails', { ...shown, healthy: false }, false],
    ['without canaries, that a server greeted a minute ago', { ...shown, checked: false, reachedAtMs: 40_000 }, true],
    ['without canaries, that none has for longer', { ...shown, checked: false, reachedAtMs: 39_999 }, false],
  ])('counts for a host %s: %s', (_what, host, expected) => {
    expect(works(NEW_RECORD, host, 100_000)).toBe(expected);
    expect(works({ ...NEW_RECORD, compared: { ...NEW_RECORD.compared, isOut: true } }, host, 100_000)).toBe(false);
  });
});

it.each([
  ['everything', false, [false, true]],
  ['some addresses, while servers answer it elsewhere,', true, [true, true]],
])('a host that is silent about %s is out of use for all: %j', async (_what, isReached, healthy) => {
  const fleet = new LyingFleet({ a: () => DELIVERABLE, b: () => DELIVERABLE });
  const [silent] = fleet.roster.members();
  if (silent === undefined) throw new Error('no host');
  await fleet.clock.advance(60_000);
  fleet.pings = true;
  if (isReached) fleet.roster.reached(silent);
  for (let n = 0; n < 6; n += 1) fleet.roster.outdone(silent, { domain: n, zone: n }, `account-${n % 3}`, 45_000);
  expect(fleet.roster.connected()).toMatchObject([
    { healthy: healthy[0], why: SILENT },
    { healthy: healthy[1], why: null },
  ]);
  expect(['account-0', 'account-9'].map((account) => fleet.roster.isLeftOut(silent, account))).toEqual([
    true,
    !isReached,
  ]);
  await fleet.clock.advance(600_000);
  expect(fleet.roster.isLeftOut(silent, 'account-0')).toBe(!isReached);
  fleet.roster.order('a', 'active');
  expect([fleet.complaint('a'), fleet.roster.isLeftOut(silent, 'account-0')]).toEqual([null, false]);
});

it('a host that becomes unhealthy is reported once, and once when it recovers', () => {
  const fleet = new LyingFleet({ a: () => DELIVERABLE });
  for (const healthy of [false, false, true, true])
    fleet.says('a', status({ healthy, failing: healthy ? [] : ['name'] }));
  expect(fleet.logged.filter((line) => line.includes('healthy'))).toEqual([
    'host_unhealthy a its self-check fails: name',
    'host_healthy a ',
  ]);
});

it('nothing is compared if there is no other host', async () => {
  const fleet = new LyingFleet({ a: () => DELIVERABLE }, 1);
  await fleet.ask('account', ONE);
  expect([...fleet.store.rows.keys()].filter((key) => key.startsWith('compared:'))).toEqual([]);
});
