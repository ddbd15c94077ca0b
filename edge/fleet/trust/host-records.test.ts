import { describe, expect, it } from 'vitest';
import { seen } from '../../../schema/testing/link-evidence.ts';
import { at, one } from '../../testing/indexes.ts';
import { makeMember } from '../../testing/member.ts';
import { ScriptedBook } from '../../testing/scripted-book.ts';
import { HostRecords } from './host-records.ts';
import { type Member, pick } from './roster.ts';

const NXDOMAIN = seen({ kind: 'no_mail_domain', why: 'nxdomain' });

function play(...members: Member[]) {
  const clock = { now: 0 };
  const log: string[] = [];
  const kept: string[] = [];
  const peers = new HostRecords(
    () => clock.now,
    (_level, event, { host, why }) => log.push([event, host, why].filter((x) => x !== undefined).join(' ')),
    (instance) => kept.push(instance),
  );
  peers.look(members);
  return { clock, log, kept, peers };
}
const member = (host: string, changes: Partial<Member> = {}): Member =>
  makeMember({ host, instance: `i-${host}`, egress: [host] }, changes);
const unchecked = (host: string): Member => member(host, { checked: false });

describe('HostRecords', () => {
  it('tells the operator who falls sick, why, and who is well again', () => {
    const sick = unchecked('sick');
    const { clock, log, peers } = play(sick);
    clock.now = 1;
    peers.contradicted(sick, { domain: 1, zone: 1, account: 'one' }, true);
    peers.contradicted(sick, { domain: 2, zone: 2, account: 'one' }, true);
    expect(peers.complaint(sick)).toBe('reached none of 2 receivers that other hosts reached');
    clock.now = 2;
    peers.reached(sick, null);
    expect(peers.complaint(sick)).toBeNull();
    expect(log).toEqual([
      'host_unhealthy sick reached none of 1 receiver that other hosts reached',
      'host_healthy sick',
    ]);
  });

  it('avoids a process that left a job unanswered for 30 s, or until it answers one', () => {
    const [deaf, back, gone] = [member('deaf'), member('back'), member('gone')];
    const { clock, peers } = play(deaf, back, gone);
    for (const host of [deaf, back]) peers.lost(host, true);
    peers.lost(gone, false);
    const avoided = () => [deaf, back, gone].map((host) => peers.rate(host).avoided);
    expect(avoided()).toEqual([true, true, false]);
    peers.answered(back, null);
    expect(avoided()).toEqual([true, false, false]);
    clock.now = 30_000;
    expect(avoided()).toEqual([false, false, false]);
  });

  it('avoids every process of a host that left jobs unanswered three times, and says so', () => {
    const { clock, log, peers } = play(member('a'));
    for (const ms of [0, 20_000, 40_000]) {
      clock.now = ms;
      peers.lost(member('a', { instance: `i-${ms}` }), false);
    }
    expect(peers.rate(member('a', { instance: 'i-new' })).avoided).toBe(true);
    expect(log).toEqual(['host_crashes a it left jobs unanswered three times in ten minutes']);
  });

  it('tells what a host says of itself', () => {
    const { log, peers } = play(member('a', { healthy: false, failing: ['name', 'host'] }), member('b'));
    peers.look([member('a')]);
    expect(log).toEqual(['host_unhealthy a its self-check fails: name, host', 'host_healthy a']);
  });

  it('trusts a host whose canaries pass, as long as they do', () => {
    const { peers } = play(member('a'), unchecked('b'));
    expect(['i-a', 'i-b', 'i-unknown'].map((i) => peers.trustOf(i))).toEqual(['trusted', 'unproven', 'unproven']);
    peers.look([member('a', { healthy: false })]);
    expect(peers.trustOf('i-a')).toBe('unproven');
  });

  it('takes what a link remembers of a host for its own, as after a reset', () => {
    const { clock, kept, peers } = play(member('a', { checked: false, reachedAtMs: 0 }));
    expect(peers.trustOf('i-a')).toBe('proven');
    for (const now of [0, 1, 9_999]) {
      clock.now = now;
      peers.reached(member('a'), null);
    }
    expect(kept).toEqual([]);
    clock.now = 10_000;
    for (let n = 0; n < 500; n += 1) peers.reached(member('a'), null);
    expect(kept).toEqual(['i-a']);
  });

  it('compares a trusted host five times a minute, each time for another account', () => {
    const { clock, peers } = play(member('a'));
    const samples = (accounts: number): number =>
      Array.from({ length: 20 }, (_, n) => peers.sample('i-a', `account${n % accounts}`)).filter(Boolean).length;
    expect([samples(2), samples(20), samples(20)]).toEqual([2, 3, 0]);
    clock.now = 60_000;
    expect(samples(20)).toBe(5);
  });

  it('remembers 1,000 processes and no more: the one that did nothing for longest is forgotten', () => {
    const { peers } = play(member('busy'), member('idle'));
    for (let n = 0; n < 998; n += 1) peers.look([member(`h${n}`)]);
    peers.assigned(member('busy'), 1, true);
    peers.look([member('last')]);
    expect(['busy', 'idle', 'h0', 'last'].map((host) => peers.trustOf(`i-${host}`))).toEqual([
      'trusted',
      'unproven',
      'trusted',
      'trusted',
    ]);
  });
});

describe('500 dead domains of one customer', () => {
  it.each([
    ['one look-up more each, of a host with canaries that has found nothing yet', member, 500],
    [
      '20 second opinions, of one without that has reached somebody',
      (host: string) => member(host, { checked: false, reachedAtMs: 0 }),
      20,
    ],
  ])('make no host unhealthy and cost %s', (_name, make, cost) => {
    const [a, b] = [make('a'), make('b')];
    const { log, peers } = play(a, b);
    const domains = Array.from({ length: 500 }, (_, n) => `dead${n}.test`);
    const book = new ScriptedBook(domains, peers, undefined, 'hostile');
    const job = book.assign(a, at(...domains.keys()));
    for (const index of domains.keys()) book.hear(job, one(index, NXDOMAIN));
    let opinions = 0;
    while (!book.complete) {
      for (const { to, indexes } of book.plan([a, b], 60_000, () => 0).assignments) {
        const second = book.assign(to, indexes);
        for (const index of indexes.keys()) book.hear(second, one(index, NXDOMAIN));
        opinions += indexes.length;
      }
    }
    expect(opinions).toBe(cost);
    expect([peers.complaint(a), peers.complaint(b), log]).toEqual([null, null, []]);
  });
});

/** How many of these jobs each host gets; what becomes of one is for `end` to say. */
function share(
  members: readonly Member[],
  jobs: number,
  everyMs: number,
  end: (to: Member, peers: HostRecords) => void,
) {
  const { clock, peers } = play(...members);
  const counts = new Map<string, number>();
  for (let n = 0; n < jobs; n += 1) {
    clock.now += everyMs;
    const to = pick(
      members,
      (host) => peers.rate(host),
      () => 0,
    );
    if (to === null) throw new Error('nobody');
    counts.set(to.host, (counts.get(to.host) ?? 0) + 1);
    peers.assigned(to, 1, true);
    end(to, peers);
  }
  return Object.fromEntries(counts);
}

describe('who gets the next job', () => {
  it('is not who ends his jobs at once, while another runs them for long', () => {
    const counts = share([member('fast'), member('slow', { jobs: 2 })], 100, 100, () => {});
    expect(counts['fast']).toBeLessThan(60);
  });

  it('is each of equals as often, however fast they are', () => {
    expect(share([member('a'), member('b'), member('c')], 99, 10, () => {})).toEqual({ a: 33, b: 33, c: 33 });
  });

  it('is a host with the wrong key now and then only', () => {
    const counts = share([member('wrong'), member('right')], 600, 100, (to, peers) =>
      peers.answered(to, to.host === 'wrong' ? 'token' : null),
    );
    // A minute: tries after 0, 5, 15 and 35 s.
    expect(counts['wrong']).toBe(4);
  });

  it('is a host that nothing is known of, so that it can prove itself, and then the others for a while', () => {
    const counts = share([unchecked('new'), member('known')], 20, 100, () => {});
    expect(counts['new']).toBeGreaterThan(0);
    expect(counts['new']).toBeLessThan(10);
  });
});
