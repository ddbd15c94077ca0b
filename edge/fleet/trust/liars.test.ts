import { describe, expect, it } from 'vitest';
import { DELIVERABLE } from '../../../schema/testing/evidence.ts';
import { DIFFERS } from '../../../schema/words/fleet-troubles.ts';
import { CATCH_ALL, HONEST, LyingFleet, MISSING, NXDOMAIN, type Says, SERVFAIL } from '../../testing/lying-fleet.ts';

// What lying hosts cost customers, although their canaries pass. Of ten domains seven are fine, two lack the mailbox,
// and one does not exist.

const BATCHES = 12;
const EACH = 100;
/** Enough batches for a liar to be put out. */
const MANY = 30;

async function run(says: Readonly<Record<string, Says>>, batches = BATCHES): Promise<LyingFleet> {
  const fleet = new LyingFleet(says);
  for (let n = 0; n < batches; n += 1) {
    const domains = Array.from({ length: EACH }, (_, i) => {
      const kind = i % 10 === 0 ? 'dead' : i % 5 === 1 ? 'none' : 'well';
      return `${kind}${n}-${i}.test`;
    });
    await fleet.ask(`account-${n % 5}`, domains);
  }
  return fleet;
}

const invents: Says = (_domain, truth) =>
  truth.kind === 'no_mail_domain' ? { outcome: DELIVERABLE, mx: null } : truth;
const beside = (says: Says): Readonly<Record<string, Says>> => ({ a: HONEST, liar: says, c: HONEST });

describe('a host whose resolver', () => {
  it.each<[string, Says]>([
    ['denies everything', () => NXDOMAIN],
    ['fails at everything', () => SERVFAIL],
  ])('%s but the canaries costs no customer anything, beside two hosts or one', async (_what, says) => {
    const three = await run(beside(says));
    expect(three.count).toEqual({ all: BATCHES * EACH, wrong: 0, unprobed: 0 });
    const two = await run({ a: HONEST, liar: says });
    expect(two.count.wrong).toBe(0);
    expect(two.count.unprobed).toBeLessThanOrEqual((BATCHES * EACH) / 10);
  });

  it('denies everything is reported, and no longer asked', async () => {
    const fleet = await run(
      beside(() => NXDOMAIN),
      MANY,
    );
    expect(['a', 'liar', 'c'].map((host) => fleet.complaint(host))).toEqual([null, DIFFERS, null]);
    expect(fleet.logged).toContain(`host_unhealthy liar ${DIFFERS}`);
  });

  it('invents servers for missing names gives at most one wrong answer in twenty until it is out', async () => {
    expect((await run(beside(invents))).count.wrong).toBeLessThanOrEqual((BATCHES * EACH) / 20);
  });
});

describe('a host behind something that', () => {
  it.each<[string, Says]>([
    ['accepts every mailbox', () => CATCH_ALL],
    ['accepts every mailbox but no made-up one', () => DELIVERABLE],
    ['refuses every mailbox', () => MISSING],
  ])('%s but its canaries is out before 250 wrong answers, and its peers are not', async (_what, says) => {
    const fleet = await run(beside(says), MANY);
    expect(fleet.count.wrong).toBeLessThanOrEqual(250);
    expect(['a', 'liar', 'c'].map((host) => fleet.complaint(host))).toEqual([null, DIFFERS, null]);
  });
});

describe('a host that is out', () => {
  it('stays out across a reset of the object, until an operator resumes it', async () => {
    const fleet = await run(
      beside(() => CATCH_ALL),
      MANY,
    );
    expect([...fleet.store.rows.keys()]).toContain('compared:liar');
    fleet.roster.order('liar', 'active');
    expect(fleet.complaint('liar')).toBeNull();
    expect([...fleet.store.rows.keys()]).not.toContain('compared:liar');
  });

  it('is still asked if there is no other host', async () => {
    const fleet = await run(
      beside(() => CATCH_ALL),
      MANY,
    );
    for (const host of ['a', 'c']) fleet.roster.order(host, 'removed');
    const before = fleet.count.all;
    await fleet.ask('account-1', ['well.test']);
    expect(fleet.count.all).toBe(before + 1);
  });
});

it('a comparison continues when its host reconnects', async () => {
  const fleet = new LyingFleet({ a: HONEST, b: HONEST, c: HONEST }, 1);
  for (const host of ['a', 'b', 'c']) fleet.slow.add(host);
  const asked = fleet.ask('account', ['d1.test', 'd2.test']);
  await asked;
  const compared = [...fleet.sockets].flatMap(([host, { sent }]) =>
    sent.flatMap((frame) => (JSON.stringify(frame).includes('"compared-') ? [[host, frame] as const] : [])),
  );
  const [host, frame] = compared[0] ?? ['', {}];
  const job = JSON.stringify(frame).match(/compared-\d+\.\d/)?.[0] ?? '';
  fleet.dialIn(host, [job]);
  await fleet.clock.advance(9_000);
  expect(fleet.sockets.get(host)?.sent).not.toContainEqual({ v: 1, type: 'cancel', job });
});

it('a host that names an abandoned job is told to end it at once', () => {
  const fleet = new LyingFleet({ a: HONEST });
  fleet.dialIn('a', ['gone-batch.1']);
  expect(fleet.sockets.get('a')?.sent).toContainEqual({ v: 1, type: 'cancel', job: 'gone-batch.1' });
});
