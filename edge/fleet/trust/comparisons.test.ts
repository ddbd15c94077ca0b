import { beforeEach, describe, expect, it } from 'vitest';
import type { Evidence, Outcome } from '../../../schema/evidence.ts';
import { toEdgeSchema, type ToEdge } from '../../../schema/link.ts';
import { OUTCOMES } from '../../../schema/outcomes.ts';
import { DELIVERABLE, POLICY, seen } from '../../../schema/testing/evidence.ts';
import { onLink } from '../../../schema/testing/link-evidence.ts';
import { ack, begin, evidence as hear } from '../../testing/batch-play.ts';
import { MapStore } from '../../testing/map-store.ts';
import { ScriptedWorld } from '../../testing/scripted-world.ts';
import { Comparisons, type Offer, firmOf } from './comparisons.ts';
import { Differences } from './differences.ts';
import type { Member } from './roster.ts';

const MISSING: Outcome = { kind: 'no_such_mailbox', reply: { code: 550, enhanced: '5.1.1' } };
const GREY = seen({
  kind: 'rcpt_deferred',
  reply: { code: 450, enhanced: null },
  deferral: { cause: 'greylisting', askedS: null },
});
const GOOGLE = ['gmail-smtp-in.l.google.com'];
const SEED = 48_271;

/** Lehmer's generator: the same lots in every run. */
function lots(): () => number {
  let state = SEED;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const payload = (): string => '{"addresses":[["x","a.test"]]}';

class Play {
  readonly world = new ScriptedWorld();
  readonly store = new MapStore();
  readonly log: string[] = [];
  readonly differences = new Differences(
    this.store,
    () => this.world.clock.now(),
    (_level, event, fields) => this.log.push(`${event} ${fields['host']} ${fields['provider']}`),
  );
  readonly comparisons: Comparisons;
  #ids = 0;

  constructor(every = 1) {
    this.comparisons = new Comparisons(this.world, this.differences, {
      every,
      newId: () => `id-${(this.#ids += 1)}`,
    });
  }

  offer(from: Member, what: Evidence, account = 'acme'): void {
    const asked = { domain: this.#ids, zone: this.#ids, account };
    this.comparisons.offer({ from, evidence: onLink(what), asked, payload });
  }

  /** The job that is out for a comparison, as it was signed. */
  get job(): { readonly id: string; readonly to: string } | null {
    const last = this.world.signed.at(-1);
    return last === undefined ? null : { id: last.jobId, to: last.to.instance };
  }

  say(what: Evidence | 'nothing'): boolean {
    const { id, to } = this.job ?? { id: '', to: '' };
    const frame: ToEdge =
      what === 'nothing'
        ? { v: 1, type: 'done', job: id }
        : {
            v: 1,
            type: 'evidence',
            job: id,
            mx: [{ n: 0, mx: what.mx, mxFound: what.mxFound }],
            items: [{ index: 0, evidence: onLink(what) }],
          };
    const parsed = toEdgeSchema.parse(frame);
    return 'job' in parsed && this.comparisons.hear(id.slice(0, id.lastIndexOf('.')), to, parsed);
  }
}

const at = (outcome: Outcome): Evidence => ({ ...seen(outcome), mx: [...GOOGLE] });

let play: Play;
beforeEach(() => (play = new Play()));

describe('an address that is compared', () => {
  it('is asked of another enrolment, under a job like that of any batch of the account, which may be declined', async () => {
    const a = play.world.join('a');
    play.world.join('b');
    play.offer(a, at(DELIVERABLE), 'account-7');
    await play.world.clock.settle();
    expect(play.world.drainFrames()).toEqual(['b job id-1.1 x']);
    // Nothing tells a host that somebody else was asked before.
    const job = { mayDecline: true, account: 7, remainingMs: 80_000 };
    expect(play.world.signed).toMatchObject([job]);
    expect(play.comparisons.has('id-1')).toBe(true);
  });

  it('is counted by provider, and not by address or domain', () => {
    const a = play.world.join('a');
    play.world.join('b');
    play.offer(a, at(DELIVERABLE));
    play.say(at(DELIVERABLE));
    expect(JSON.stringify([...play.store.rows])).toContain('google');
    expect(JSON.stringify([...play.store.rows])).not.toMatch(/\.test|\.com|acme/);
    expect(play.comparisons.underWay).toBe(0);
  });

  it('goes to a third host if two differ, and who stands alone is charged', () => {
    const a = play.world.join('a');
    for (const name of ['b', 'c']) play.world.join(name);
    for (let n = 0; n < 5; n += 1) {
      play.offer(a, at(DELIVERABLE), `account-${n}`);
      expect(play.say(at(MISSING))).toBe(true);
      const third = play.job?.to;
      play.say(at(third === 'b' ? MISSING : DELIVERABLE));
    }
    expect(play.differences.of('a')).toEqual([]);
    expect(play.log).toEqual(['host_differs b google']);
  });

  it.each<[string, Evidence | 'nothing']>([
    ['a deferral', GREY],
    ['a refusal of us', POLICY],
    ['a provider left alone', seen({ kind: 'unprobed', why: 'cooldown', waitS: 600 })],
    ['nothing', 'nothing'],
  ])('tells nothing if the second host has %s', (_what, said) => {
    const a = play.world.join('a');
    play.world.join('b');
    play.offer(a, at(DELIVERABLE));
    expect(play.say(said)).toBe(true);
    expect([play.comparisons.underWay, play.store.rows.size]).toEqual([0, 0]);
  });

  it('is given up after a minute, and the job is cancelled', async () => {
    const a = play.world.join('a');
    play.world.join('b');
    play.offer(a, at(DELIVERABLE));
    await play.world.clock.advance(60_000);
    expect(play.world.drainFrames().at(-1)).toBe('b cancel id-1.1');
    expect([play.comparisons.underWay, play.store.rows.size, play.say(at(MISSING))]).toEqual([0, 0, false]);
    expect(play.world.roster.every(({ running }) => running.length === 0)).toBe(true);
  });

  it('is one of so many, at most fifty at once, and none if nobody else is there', () => {
    const a = play.world.join('a');
    play.offer(a, at(DELIVERABLE));
    expect(play.comparisons.underWay).toBe(0);
    play.world.join('b');
    play.world.hosts.deaf.add('b');
    play.offer(a, at(DELIVERABLE));
    expect(play.comparisons.underWay).toBe(0);
    play.world.roster = [a];
    play.world.join('c');
    for (let n = 0; n < 200; n += 1) play.offer(a, at(DELIVERABLE));
    expect(play.comparisons.underWay).toBe(50);
    const off = new Play(0);
    const [one] = [off.world.join('a'), off.world.join('b')];
    off.offer(one, at(DELIVERABLE));
    expect(off.comparisons.underWay).toBe(0);
  });
});

it('compares what every host must find, and nothing that depends on who asks, on when, or on luck', () => {
  expect(firmOf({ kind: 'accepted', reply: { code: 250, enhanced: null }, madeUp: { kind: 'accepted' } })).toBe(
    firmOf(DELIVERABLE),
  );
  const everybody = { kind: 'provider_accepts_all' } as const;
  expect(firmOf({ kind: 'accepted', reply: { code: 250, enhanced: null }, madeUp: everybody })).toBeNull();
  expect(firmOf({ kind: 'no_mail_domain', why: 'nxdomain' })).toBe('no_mail');
  expect(firmOf({ kind: 'no_mail_domain', why: 'address_literal' })).toBeNull();
  const firm = ['accepted', 'no_such_mailbox', 'mx_hosts_missing', 'no_mail_domain'];
  expect(Object.keys(OUTCOMES)).toEqual(expect.arrayContaining(firm));
  expect(firmOf(GREY.outcome) ?? firmOf(POLICY.outcome)).toBeNull();
});

/** A day of this many addresses, one in a hundred compared. @returns whom the log named, and after how many addresses the first */
function day(addresses: number, liar: string | null): { readonly named: readonly string[]; readonly after: number } {
  const random = lots();
  const long = new Play(100);
  long.world.random = random;
  const hosts = ['a', 'b', 'c'].map((name) => long.world.join(name));
  /** What a host says of a mailbox that exists: an honest one is wrong once in two hundred, by chance. */
  const says = (name: string): Evidence => {
    const wrong = random() < (name === liar ? 0.1 : 0.005);
    return at(wrong ? MISSING : DELIVERABLE);
  };
  let after = Infinity;
  for (let n = 0; n < addresses; n += 1) {
    const from = hosts[Math.floor(random() * hosts.length)];
    if (from === undefined) break;
    long.offer(from, says(from.host), `account-${n % 40}`);
    while (long.comparisons.underWay > 0) long.say(says(long.job?.to ?? ''));
    if (long.log.length === 1) after = Math.min(after, n);
  }
  return { named: long.log, after };
}

describe('of three hosts one of which lies in one answer of ten', () => {
  it('that one is named, alone, within a day of ordinary load', () => {
    const { named, after } = day(100_000, 'b');
    expect(named).toEqual(['host_differs b google']);
    expect(after).toBeLessThan(50_000);
  });

  it('nobody is named if nobody lies', () => {
    expect(day(100_000, null).named).toEqual([]);
  });
});

it('survives the object: what was counted before counts on', () => {
  const a = play.world.join('a');
  play.world.join('b');
  for (let n = 0; n < 9; n += 1) {
    play.offer(a, at(DELIVERABLE), `account-${n}`);
    play.say(at(MISSING));
  }
  const log: string[] = [];
  const after = new Differences(
    play.store,
    () => play.world.clock.now(),
    (_level, event, fields) => log.push(`${event} ${fields['host']}`),
  );
  after.record(
    'google',
    new Map([
      ['a', { agreement: 'split', firm: 'accepts' }],
      ['b', { agreement: 'split', firm: 'refuses' }],
    ] as const),
    'another',
  );
  expect(log).toEqual(['host_differs a', 'host_differs b']);
  // What speaks for each is told with it: one says the same of everybody, and so does the other.
  const said = [
    { host: 'a', accepts: 10, refuses: 0, noMail: 0 },
    { host: 'b', accepts: 0, refuses: 10, noMail: 0 },
  ];
  expect(after.of('b')).toMatchObject([{ provider: 'google', split: 10, said }]);
});

it('a batch offers what its hosts found, after its answer, and its answer stays what it was', async () => {
  const offered: unknown[] = [];
  const compare = (offer: Offer): void => {
    offered.push([offer.from.instance, offer.asked.account, offer.payload(), batch.sink.lines.length]);
  };
  const world = Object.assign(new ScriptedWorld(), { compare });
  const batch = await begin(['a', 'b'], { account: 'account-1' }, world);
  ack(batch, 'a', 'b.1');
  hear(batch, 'a', 'b.1', 1, at(MISSING));
  expect(offered).toEqual([['a', 'account-1', '{"addresses":[["y","b.test"]]}', 1]]);
});
