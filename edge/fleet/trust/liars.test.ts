import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { type Asked, HONEST, LyingFleet, MISSING, NXDOMAIN, type Says, SERVFAIL } from '../../testing/lying-fleet.ts';
import { DELIVERABLE } from '../../../schema/testing/evidence.ts';

// Hosts whose canaries pass and that lie, and customers who would have one taken for a liar.

const PRIVATE: Outcome = { kind: 'mx_private' };
const SECONDS = 120;
const WRONG_MAX = 20;

/** Batches of 40 domains that nobody asked about before, one in ten of which does not exist, of the given number of accounts in turn. */
const crowd =
  (accounts: number) =>
  (n: number): Asked => ({
    account: `account${n % accounts}`,
    domains: Array.from({ length: 40 }, (_, d) => `${d % 10 === 9 ? 'dead' : 'd'}${n}-${d}.test`),
  });
const from =
  (beginsMs: number, says: Says): Says =>
  (domain, truth, nowMs, size) =>
    nowMs < beginsMs ? truth : says(domain, truth, nowMs, size);
const half: Says = (domain, truth) => (/[02468]\.test$/.test(domain) ? NXDOMAIN : truth);
const inOneZone = (n: number): Asked => ({
  account: 'one',
  domains: Array.from({ length: 40 }, (_, d) => `d${n}-${d}.customer.test`),
});

const deadAtFirst = (n: number): Asked => ({
  account: 'one',
  domains: Array.from({ length: 40 }, (_, d) => `${n < 30 ? 'dead' : 'd'}${n}-${d}.test`),
});
/** Zones of hostile accounts say to one host that there is nothing, and answer the others. */
const deceived =
  (host: string): Says =>
  (domain, truth) =>
    domain.startsWith(`trap-${host}`) ? NXDOMAIN : truth;
const traps = (account: string, n: number, hosts: string): Asked => ({
  account,
  domains: Array.from({ length: 12 }, (_, d) => `trap-${hosts[d % hosts.length]}${n}-${d}.test`),
});
const customer = (n: number): Asked => ({ account: 'honest', domains: [`d${n}.test`, `dead${n}.test`] });

describe('of a host that lies, and whose canaries pass,', () => {
  it.each<[string, Says, (n: number) => Asked]>([
    ['NXDOMAIN, one account', () => NXDOMAIN, crowd(1)],
    ['NXDOMAIN, two accounts', () => NXDOMAIN, crowd(2)],
    ['NXDOMAIN, three accounts', () => NXDOMAIN, crowd(3)],
    ['NXDOMAIN, forty accounts', () => NXDOMAIN, crowd(40)],
    ['NXDOMAIN, names of one owner', () => NXDOMAIN, inOneZone],
    ['SERVFAIL, one account', () => SERVFAIL, crowd(1)],
    ['SERVFAIL, three accounts', () => SERVFAIL, crowd(3)],
    ['private addresses, one account', () => PRIVATE, crowd(1)],
    ['half of the names, two accounts', half, crowd(2)],
    ['after half a minute, one account', from(30_000, () => NXDOMAIN), crowd(1)],
    ['after half a minute, three accounts', from(30_000, () => NXDOMAIN), crowd(3)],
  ])('few verdicts are wrong and charged, and it is out within a minute: %s', async (_name, lies, ask) => {
    const fleet = new LyingFleet({ liar: lies, b: HONEST, c: HONEST });
    await fleet.run(SECONDS, 1_000, ask);
    const { verdicts, wrong, unprobed } = fleet.count;
    expect({ verdicts, unprobed }).toEqual({ verdicts: SECONDS * 40, unprobed: 0 });
    expect(wrong).toBeLessThanOrEqual(WRONG_MAX);
    expect(fleet.outAfterS('liar')).not.toBeNull();
    expect(fleet.outAfterS('liar')).toBeLessThan(90);
    expect([fleet.complaint('b'), fleet.complaint('c')]).toEqual([null, null]);
  });

  it('nothing is wrong and charged if two of three lie alike', async () => {
    const fleet = new LyingFleet({ liar: () => NXDOMAIN, 'liar-too': () => NXDOMAIN, well: HONEST });
    await fleet.run(SECONDS, 1_000, crowd(2));
    expect(fleet.count.wrong).toBe(0);
    expect(['liar', 'liar-too', 'well'].map((host) => fleet.outAfterS(host) !== null)).toEqual([true, true, false]);
  });

  it('few are wrong if it also confirms what is true of dead names, which are all that it was asked before', async () => {
    const fleet = new LyingFleet({ liar: () => NXDOMAIN, b: HONEST, c: HONEST });
    await fleet.run(60, 1_000, deadAtFirst);
    expect(fleet.count.wrong).toBe(0);
    expect(fleet.outAfterS('liar')).toBeLessThan(32);
  });
});

const ownNames = (n: number): Asked => ({ account: 'honest', domains: [`own${n}.customer.test`] });

describe('a healthy host', () => {
  it.each([1, 3, 40])('is not put out by names of %i accounts while it serves somebody else', async (accounts) => {
    const fleet = new LyingFleet({ a: deceived('a'), b: HONEST, c: HONEST });
    // One address in four seconds, at domains of one owner, against twenty traps a second.
    await fleet.run(120, 500, (n) => (n < 10 || n % 7 === 5 ? ownNames(n) : traps(`hostile${n % accounts}`, n, 'a')));
    // It may be named as one that differs, with what each said: that puts it nowhere.
    expect(fleet.logged.filter((line) => line.includes('host_unhealthy'))).toEqual([]);
    expect(fleet.count).toMatchObject({ wrong: 0, unprobed: 0 });
  });

  it('that one account puts out while nobody else asks is not named to the operator, and is back once it serves somebody else', async () => {
    const fleet = new LyingFleet({ a: deceived('a'), b: HONEST, c: HONEST });
    await fleet.run(120, 1_000, (n) => (n < 30 ? traps('hostile', n, 'a') : customer(n)));
    expect(fleet.outAfterS('a')).toBeLessThan(30);
    expect(fleet.isTold('a')).toBe(false);
    expect(fleet.hosts.trustOf('a')).toBe('trusted');
    // Only names of its own.
    expect(fleet.count.wrong).toBeLessThanOrEqual(WRONG_MAX);
    expect(fleet.count.unprobed).toBeLessThanOrEqual(1);
  });

  it('cannot be told from one that lies if many accounts say so and nobody else is there', async () => {
    const fleet = new LyingFleet({ a: deceived('a'), b: HONEST, c: HONEST });
    await fleet.run(120, 1_000, (n) => traps('hostile'.repeat(1 + (n % 40)), n, 'a'));
    expect(fleet.isTold('a')).toBe(true);
  });

  it('is believed by its own word of most dead names among living ones', async () => {
    const fleet = new LyingFleet({ a: HONEST, b: HONEST, c: HONEST });
    await fleet.run(SECONDS, 1_000, crowd(3));
    const dead = SECONDS * 4;
    expect(fleet.count.asked - fleet.count.verdicts).toBeLessThan(dead * 0.6 + fleet.count.verdicts * 0.03);
    expect(fleet.count).toMatchObject({ wrong: 0, unprobed: 0 });
  });

  it('that is alone is believed', async () => {
    const fleet = new LyingFleet({ a: HONEST });
    await fleet.run(10, 1_000, (n) => ({ account: 'one', domains: [`dead${n}.test`] }));
    expect(fleet.count).toMatchObject({ verdicts: 10, wrong: 0, unprobed: 0, asked: 10 });
  });
});

/** Batches of 20 domains of the given number of accounts in turn, half of them without such a mailbox. */
const mailboxes =
  (accounts: number) =>
  (n: number): Asked => ({
    account: `account${n % accounts}`,
    domains: Array.from({ length: 20 }, (_, d) => `${(n + d) % 2 === 0 ? 'd' : 'none'}${n}-${d}.test`),
  });
/** Every tenth batch is that account's. */
const toOne: Says = (domain, truth) => (/^(?:d|none)\d*0-/.test(domain) ? DELIVERABLE : truth);
const CATCH_ALL: Outcome = {
  kind: 'accepted',
  reply: { code: 250, enhanced: null },
  madeUp: { kind: 'accepted' },
};
const LATER: Outcome = {
  kind: 'rcpt_deferred',
  reply: { code: 450, enhanced: '4.2.0' },
  deferral: { cause: 'greylisting', askedS: null },
};

/** As customers' lists are: one name in twenty does not exist, half of the others have no such mailbox. */
const mixed = (n: number): Asked => ({
  account: `account${n % 3}`,
  domains: Array.from({ length: 20 }, (_, d) => {
    const [lot] = [(n * 7 + d * 13) % 20];
    return `${lot === 0 ? 'dead' : lot % 2 === 0 ? 'd' : 'none'}${n}-${d}.test`;
  }),
});
const opposite: Says = (_domain, { kind }) => (kind === 'accepted' ? MISSING : DELIVERABLE);

describe('of hosts that began to say something else of all names, those that do not exist too,', () => {
  const ROWS: readonly [string, Says, readonly string[], readonly string[], number][] = [
    ['one of three accepts', () => DELIVERABLE, ['x'], ['b', 'c'], WRONG_MAX],
    ['one of three refuses', () => MISSING, ['x'], ['b', 'c'], WRONG_MAX],
    ['one of three finds a catch-all', () => CATCH_ALL, ['x'], ['b', 'c'], WRONG_MAX],
    ['one of three defers', () => LATER, ['x'], ['b', 'c'], WRONG_MAX],
    ['one of three denies', () => NXDOMAIN, ['x'], ['b', 'c'], WRONG_MAX],
    // As many of each as the truth has: samples alone show it, one answer in fifty.
    ['one of three says the opposite', opposite, ['x'], ['b', 'c'], 110],
    ['one of two accepts', () => DELIVERABLE, ['x'], ['b'], WRONG_MAX],
    ['one of two denies', () => NXDOMAIN, ['x'], ['b'], WRONG_MAX],
    ['two of three find a catch-all', () => CATCH_ALL, ['x', 'y'], ['b'], WRONG_MAX],
    ['two of three defer', () => LATER, ['x', 'y'], ['b'], 25],
    ['two of three time out', () => ({ kind: 'timeout', greeted: true }), ['x', 'y'], ['b'], 25],
    ['two of three accept', () => DELIVERABLE, ['x', 'y'], ['b'], WRONG_MAX],
    ['two of three refuse', () => MISSING, ['x', 'y'], ['b'], WRONG_MAX],
    ['two of three deny', () => NXDOMAIN, ['x', 'y'], ['b'], WRONG_MAX],
  ];
  it.each(ROWS)('the healthy ones stay, and the others are out: %s', async (_what, says, liars, well, wrongMax) => {
    const all = [...liars.map((host) => [host, from(30_000, says)] as const), ...well.map((h) => [h, HONEST] as const)];
    const fleet = new LyingFleet(Object.fromEntries(all));
    await fleet.run(SECONDS, 1_000, mixed);
    expect(fleet.count.verdicts).toBe(SECONDS * 20);
    expect(fleet.count.wrong).toBeLessThanOrEqual(wrongMax);
    for (const host of liars) expect(fleet.outAfterS(host) ?? Infinity).toBeLessThan(90);
    expect(well.map((host) => fleet.outAfterS(host))).toEqual(well.map(() => null));
  });
});

it('of two hosts one of which says the opposite few are wrong and charged, though nobody can tell who is right', async () => {
  const fleet = new LyingFleet({ liar: from(30_000, opposite), well: HONEST });
  await fleet.run(SECONDS, 1_000, mixed);
  expect(fleet.count.wrong).toBeLessThanOrEqual(110);
  expect(fleet.outAfterS('well')).toBeNull();
});

describe('of a host that says one thing of every mailbox, and whose canaries pass,', () => {
  const lies: readonly [string, Outcome][] = [
    ['accepted', DELIVERABLE],
    ['a catch-all', CATCH_ALL],
    ['refused', MISSING],
    ['deferred', LATER],
    ['a timeout after the greeting', { kind: 'timeout', greeted: true }],
  ];
  it.each(lies.flatMap(([name, says]) => [1, 3, 40].map((accounts) => [name, accounts, says] as const)))(
    'few verdicts are wrong and charged, and it is out within a minute: %s, %i accounts',
    async (_name, accounts, says) => {
      const fleet = new LyingFleet({ liar: () => says, b: HONEST, c: HONEST });
      await fleet.run(SECONDS, 1_000, mailboxes(accounts));
      expect(fleet.count.verdicts).toBe(SECONDS * 20);
      expect(fleet.count.wrong).toBeLessThanOrEqual(WRONG_MAX);
      expect(fleet.outAfterS('liar')).not.toBeNull();
      expect(fleet.outAfterS('liar')).toBeLessThan(60);
      expect([fleet.complaint('b'), fleet.complaint('c')]).toEqual([null, null]);
    },
  );

  it('few are wrong if it lies to one account alone', async () => {
    const fleet = new LyingFleet({ liar: toOne, b: HONEST, c: HONEST });
    await fleet.run(SECONDS * 2, 1_000, mailboxes(10));
    expect(fleet.count.wrong).toBeLessThanOrEqual(WRONG_MAX);
    expect([fleet.complaint('b'), fleet.complaint('c')]).toEqual([null, null]);
  });
});

it.each<[string, Says]>([
  ['denies', () => NXDOMAIN],
  ['accepts', () => DELIVERABLE],
])('ten minutes of honesty give a host that then %s for everything no more to give away', async (_what, says) => {
  const fleet = new LyingFleet({ liar: from(600_000, says), b: HONEST, c: HONEST });
  await fleet.run(660, 1_000, mailboxes(3));
  expect(fleet.count.wrong).toBeLessThanOrEqual(WRONG_MAX);
  expect(fleet.outAfterS('liar')).toBeLessThan(660);
  expect([fleet.complaint('b'), fleet.complaint('c')]).toEqual([null, null]);
});

it('servers of which every third connection fails put no host out', async () => {
  let connections = 0;
  const flaky: Says = (domain, truth) => {
    connections += 1;
    return domain.startsWith('d') && connections % 3 === 0 ? { kind: 'timeout', greeted: false } : truth;
  };
  const fleet = new LyingFleet({ a: flaky, b: flaky, c: flaky });
  await fleet.run(SECONDS, 1_000, mailboxes(4));
  expect(fleet.logged).toEqual([]);
});

describe('in peace few addresses are put to a second host,', () => {
  it.each<[string, (n: number) => Asked]>([
    ['of mixed lists', mailboxes(5)],
    [
      'of clean ones',
      (n) => ({ account: `a${n % 5}`, domains: Array.from({ length: 20 }, (_, d) => `d${n}-${d}.test`) }),
    ],
    [
      'of clean ones and of dead ones',
      (n) => ({
        account: `a${n % 2}`,
        domains: Array.from({ length: 20 }, (_, d) => `${['d', 'none'][n % 2]}${n}-${d}.test`),
      }),
    ],
  ])('whatever they are: %s', async (_what, ask) => {
    const fleet = new LyingFleet({ a: HONEST, b: HONEST, c: HONEST });
    await fleet.run(600, 1_000, ask);
    expect(fleet.logged).toEqual([]);
    expect(fleet.count).toMatchObject({ verdicts: 12_000, wrong: 0, unprobed: 0 });
    expect(fleet.count.asked - fleet.count.verdicts).toBeLessThanOrEqual(12_000 * 0.035);
  });
});
