import { describe, expect, it } from 'vitest';
import { DELIVERABLE } from '../../../schema/testing/evidence.ts';
import { APART, DIFFERS, SILENT } from '../../../schema/words/fleet-troubles.ts';
import { CATCH_ALL, HONEST, LyingFleet, MISSING, NXDOMAIN, type Says, SERVFAIL } from '../../testing/lying-fleet.ts';

// What lying hosts cost customers, although their canaries pass. Of ten domains seven are fine, two lack the mailbox,
// and one does not exist.

const BATCHES = 12;
const EACH = 100;
/** Enough batches for a liar to be put out. */
const MANY = 30;

async function run(says: Readonly<Record<string, Says>>, batches = BATCHES, accounts = 5): Promise<LyingFleet> {
  const fleet = new LyingFleet(says);
  for (let n = 0; n < batches; n += 1) {
    const domains = Array.from({ length: EACH }, (_, i) => {
      const kind = i % 10 === 0 ? 'dead' : i % 5 === 1 ? 'none' : 'well';
      return `${kind}${n}-${i}.test`;
    });
    await fleet.ask(`account-${n % accounts}`, domains);
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

  it('fails at everything is reported, and no longer asked', async () => {
    const fleet = await run(
      beside(() => SERVFAIL),
      MANY,
    );
    expect(['a', 'liar', 'c'].map((host) => fleet.complaint(host))).toEqual([null, DIFFERS, null]);
  });

  it('invents servers for missing names gives at most one wrong answer in twenty until it is out', async () => {
    expect((await run(beside(invents))).count.wrong).toBeLessThanOrEqual((BATCHES * EACH) / 20);
  });
});

const shown = (fleet: LyingFleet): ReadonlyArray<readonly [string, boolean, string | null]> =>
  fleet.roster.connected().map(({ id, healthy, why }) => [id, healthy, why]);

describe('where nobody can be outvoted', () => {
  it.each<[string, Says]>([
    ['accepts every mailbox', () => CATCH_ALL],
    ['refuses every mailbox', () => MISSING],
    ['denies every domain', () => NXDOMAIN],
  ])('a host that %s for one account is shown and goes on', async (_what, says) => {
    const fleet = await run(beside(says), MANY, 1);
    expect(shown(fleet)).toEqual([
      ['a', true, null],
      ['liar', true, DIFFERS],
      ['c', true, null],
    ]);
    expect(fleet.logged.filter((line) => line.startsWith('host_suspect'))).toEqual([`host_suspect liar ${DIFFERS}`]);
  });

  it.each<[string, Says]>([
    ['accepts every mailbox', () => CATCH_ALL],
    ['refuses every mailbox', () => MISSING],
    ['invents servers', invents],
  ])('two hosts of which one %s are both shown and go on', async (_what, says) => {
    const fleet = await run({ a: HONEST, liar: says }, MANY);
    expect(shown(fleet)).toEqual([
      ['a', true, APART],
      ['liar', true, APART],
    ]);
    expect(fleet.logged.filter((line) => line.startsWith('host_suspect'))).toHaveLength(2);
  });

  it('of two hosts the one whose look-ups fail is named', async () => {
    const fleet = await run({ a: HONEST, liar: () => SERVFAIL }, MANY, 1);
    expect(shown(fleet)).toEqual([
      ['a', true, null],
      ['liar', true, DIFFERS],
    ]);
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

describe('a host that says that its jobs run, and reports nothing', () => {
  const HOSTS = { a: HONEST, mute: HONEST, c: HONEST };
  const WELL = Array.from({ length: 8 }, (_, n) => `well${n}.test`);
  const ACCOUNTS = ['account-1', 'account-2', 'account-3', 'account-4', 'account-5'];

  /** Batches of these accounts in turn. @returns for each how long it took, in seconds */
  async function times(fleet: LyingFleet, accounts: readonly string[], batches: number): Promise<number[]> {
    fleet.pings = true;
    const took: number[] = [];
    for (let n = 0; n < batches; n += 1) {
      const begunMs = fleet.clock.now();
      const domains = WELL.map((domain) => domain.replace('.', `-${n}.`));
      await fleet.ask(accounts[n % accounts.length] ?? '', domains);
      took.push(Math.round((fleet.clock.now() - begunMs) / 1_000));
    }
    return took;
  }

  it('costs no customer an answer, is out once three accounts have met it, and is named', async () => {
    const fleet = new LyingFleet(HOSTS);
    fleet.isMute = (host) => host === 'mute';
    const took = await times(fleet, ACCOUNTS, 60);
    expect(fleet.count).toEqual({ all: 60 * WELL.length, wrong: 0, unprobed: 0 });
    expect(took.filter((seconds) => seconds > 0)).toEqual([45, 45, 45]);
    expect(Object.keys(HOSTS).map((host) => fleet.complaint(host))).toEqual([null, SILENT, null]);
    expect(fleet.logged).toContain(`host_unhealthy mute ${SILENT}`);
  });

  it.each([
    ['for everybody', (host: string) => host === 'mute'],
    ['for one account', (host: string, account: string) => host === 'mute' && account === 'account-1'],
  ])('%s, gets nothing for ten minutes of an account that met it, and is shown, but not out', async (_what, isMute) => {
    const fleet = new LyingFleet(HOSTS);
    fleet.isMute = isMute;
    const took = await times(fleet, ['account-1'], 40);
    expect(fleet.count.unprobed).toBe(0);
    expect(took.filter((seconds) => seconds > 0)).toEqual([45]);
    const mute = fleet.roster.connected().find(({ id }) => id === 'mute');
    expect(mute).toMatchObject({ healthy: true, why: SILENT });
    expect(fleet.logged.filter((line) => line.startsWith('host_'))).toContain(`host_suspect mute ${SILENT}`);
    await fleet.clock.advance(600_000);
    expect(await times(fleet, ['account-1'], 40)).toContain(45);
    expect(fleet.logged.filter((line) => line.startsWith('host_suspect'))).toHaveLength(1);
  });

  it('is put out by no account alone, however many of its domains do so', async () => {
    const fleet = new LyingFleet(HOSTS);
    fleet.isMute = (host) => host === 'mute';
    for (let n = 0; n < 20; n += 1) {
      await times(fleet, ['account-1', 'account-2'], 10);
      await fleet.clock.advance(600_000);
    }
    expect(fleet.roster.connected().map(({ healthy }) => healthy)).toEqual([true, true, true]);
    expect(JSON.stringify(fleet.store.rows.get('compared:mute')).length).toBeLessThan(10_000);
  });

  it('is one of two such hosts of three: every address is answered by the third', async () => {
    const fleet = new LyingFleet(HOSTS);
    fleet.isMute = (host) => host !== 'c';
    const took = await times(fleet, ACCOUNTS, 60);
    expect(fleet.count.unprobed).toBe(0);
    expect(took.filter((seconds) => seconds > 0).length).toBeLessThanOrEqual(8);
    expect(['a', 'mute', 'c'].map((host) => fleet.complaint(host))).toEqual([SILENT, SILENT, null]);
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
