import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LinkEvidence } from '../../../schema/link.ts';
import { ACCEPTED, seen, TIMEOUT, UNPROBED_HOST } from '../../../schema/testing/link-evidence.ts';
import { at, one } from '../../testing/indexes.ts';
import { makeMember } from '../../testing/member.ts';
import { ScriptedBook } from '../../testing/scripted-book.ts';
import { ScriptedTrust } from '../../testing/scripted-trust.ts';
import type { Final } from './batch-book.ts';
import { LIMITS } from './limits.ts';
import { NO_MX } from '../trust/doubt.ts';
import type { Trust } from '../trust/host-record.ts';
import { receiverOf } from '../trust/receiver.ts';
import type { Member } from '../trust/roster.ts';

// What becomes of evidence that a host without a resolver or a way out would give as well.

const PLENTY_MS = 60_000;
const NXDOMAIN = seen({ kind: 'no_mail_domain', why: 'nxdomain' });
const REFUSED = seen({ kind: 'connection_error', greeted: false });
const NOT_BELIEVED = { ...UNPROBED_HOST, mx: NO_MX };
const lot = (): number => 0;
const member = (host: string): Member => makeMember({ host, instance: host, egress: [host] });
const [a, b, c] = [member('a'), member('b'), member('c')];

function batch(domains: readonly string[], trusts: Readonly<Record<string, Trust>>, avoided: string[] = []) {
  const peers = new ScriptedTrust(trusts, Object.fromEntries(avoided.map((host) => [host, { avoided: true }])));
  const book = new ScriptedBook(domains, peers);
  const job = book.assign(a, at(...domains.keys()));
  const say = (to: typeof job, index: number, evidence: LinkEvidence): readonly Final[] =>
    book.hear(to, one(index, evidence));
  const plan = (...members: Member[]) => book.plan(members, PLENTY_MS, lot);
  return { peers, book, job, say, plan };
}
const domains = (count: number): string[] => Array.from({ length: count }, (_, n) => `d${n}.test`);

describe('a trusted host', () => {
  it('is believed at once', () => {
    const { job, say } = batch(['a.test'], {});
    expect(say(job, 0, TIMEOUT)).toEqual([[0, TIMEOUT]]);
  });

  it('is compared with another now and then, and is told of what that reached', () => {
    const { peers, book, job, say, plan } = batch(['a.test', 'b.test'], {});
    peers.samples = 1;
    expect(say(job, 0, TIMEOUT)).toEqual([]);
    expect(say(job, 1, TIMEOUT)).toEqual([[1, TIMEOUT]]);
    expect(plan(a, b)).toMatchObject({ assignments: [{ to: b, indexes: [0] }], final: [] });
    expect(say(book.assign(b, at(0)), 0, ACCEPTED)).toEqual([[0, ACCEPTED]]);
    expect(peers.told).toEqual(['b reached', `a contradicted at ${receiverOf('a.test')}`]);
  });

  it('is believed if nobody is there to compare it with', () => {
    const { peers, job, say, plan } = batch(['a.test'], {});
    peers.samples = 1;
    say(job, 0, TIMEOUT);
    expect(plan(a).final).toEqual([[0, TIMEOUT]]);
  });
});

/** A batch whose hosts are believed of no denial by their own word. */
function unproven(names: readonly string[]) {
  const play = batch(names, {});
  play.peers.vouches = false;
  return play;
}

describe('a trusted host that says that a domain takes no mail, and has not found any yet,', () => {
  it('is confirmed by a second host and a third, as long as none is believed by its own word', () => {
    const { peers, book, job, say, plan } = unproven(['a.test']);
    expect(say(job, 0, NXDOMAIN)).toEqual([]);
    expect(plan(a, b, c).assignments).toMatchObject([{ to: b, indexes: [0] }]);
    expect(say(book.assign(b, at(0)), 0, NXDOMAIN)).toEqual([]);
    peers.vouches = true;
    expect(plan(a, b, c).assignments).toMatchObject([{ to: c, indexes: [0] }]);
    expect(say(book.assign(c, at(0)), 0, NXDOMAIN)).toEqual([[0, NXDOMAIN]]);
  });

  it('is believed if nobody else is there', () => {
    const { job, say, plan } = unproven(['a.test']);
    say(job, 0, NXDOMAIN);
    expect(plan(a).final).toEqual([[0, NXDOMAIN]]);
  });

  it('is confirmed even by a host that is avoided, if there is no other', () => {
    const { peers, book, job, say, plan } = batch(['a.test'], { b: 'unproven' }, ['b']);
    peers.vouches = false;
    say(job, 0, NXDOMAIN);
    expect(plan(a, b).assignments).toMatchObject([{ to: b, indexes: [0] }]);
    expect(say(book.assign(b, at(0)), 0, ACCEPTED)).toEqual([[0, ACCEPTED]]);
  });

  it('leaves the address unprobed if no time is left to ask another, unless there is none', () => {
    const late = (...members: Member[]): readonly Final[] => {
      const { book, job, say } = unproven(['a.test']);
      say(job, 0, NXDOMAIN);
      return book.plan(members, LIMITS.secondTryMs - 1, lot).final;
    };
    expect(late(a, b)).toEqual([[0, NOT_BELIEVED]]);
    expect(late(a)).toEqual([[0, NXDOMAIN]]);
    const ended = unproven(['a.test']);
    ended.say(ended.job, 0, NXDOMAIN);
    expect(ended.book.release()).toEqual([[0, NOT_BELIEVED]]);
  });

  it('is contradicted by a server that another host could not talk to either', () => {
    const { book, job, say } = unproven(['a.test']);
    say(job, 0, NXDOMAIN);
    expect(say(book.assign(b, at(0)), 0, REFUSED)).toEqual([[0, REFUSED]]);
  });
});

describe('an unproven host', () => {
  it('answers for nobody: others are asked until one is believed', () => {
    const { book, job, say, plan } = batch(['a.test'], { a: 'unproven', b: 'unproven', c: 'trusted' });
    expect(say(job, 0, REFUSED)).toEqual([]);
    // Those whose word counts are asked first.
    expect(plan(a, b, c).assignments).toMatchObject([{ to: c, indexes: [0] }]);
    expect(say(book.assign(c, at(0)), 0, NXDOMAIN)).toEqual([[0, NXDOMAIN]]);
  });

  it('leaves its addresses unprobed if there is nobody else, or nobody better', () => {
    const alone = batch(['a.test'], { a: 'unproven' });
    alone.say(alone.job, 0, NXDOMAIN);
    expect(alone.plan(a).final).toEqual([[0, NOT_BELIEVED]]);
    const two = batch(['a.test'], { a: 'unproven', b: 'unproven' });
    two.say(two.job, 0, NXDOMAIN);
    two.say(two.book.assign(b, at(0)), 0, REFUSED);
    expect(two.plan(a, b).final).toEqual([[0, NOT_BELIEVED]]);
  });

  it('leaves its addresses to one that is no better and avoided, rather than to nobody', () => {
    const { job, say, plan } = batch(['a.test'], { a: 'unproven', b: 'unproven' }, ['b']);
    say(job, 0, NXDOMAIN);
    expect(plan(a, b)).toMatchObject({ assignments: [{ to: b, indexes: [0] }], final: [] });
  });

  it('has reached nobody if it could not probe', () => {
    const { peers, job, say } = batch(['a.test', 'b.test'], { a: 'unproven' });
    say(job, 0, NXDOMAIN);
    say(job, 1, UNPROBED_HOST);
    expect([peers.told, job.doubtfulDomains.size]).toEqual([[], 1]);
  });

  it('is believed after all if it reaches a mail server later in the same job', () => {
    const { peers, job, say, plan } = batch(['gone.test', 'there.test'], { a: 'unproven' });
    say(job, 0, NXDOMAIN);
    expect(plan(a)).toMatchObject({ assignments: [], final: [] });
    expect(say(job, 1, ACCEPTED)).toEqual([[1, ACCEPTED]]);
    expect(peers.told).toEqual(['a reached']);
    expect(plan(a).final).toEqual([[0, NXDOMAIN]]);
  });

  it('may prove itself by a job that the same plan gives it', () => {
    const { book, job, say, plan } = batch(['gone.test', 'there.test'], { a: 'unproven' });
    say(job, 0, NXDOMAIN);
    book.close(book.assign(b, at(1)), true);
    book.close(job, false);
    expect(plan(a)).toMatchObject({ assignments: [{ to: a, indexes: [1] }], final: [] });
    expect(say(book.assign(a, at(1)), 0, ACCEPTED)).toEqual([[1, ACCEPTED]]);
    expect(plan(a).final).toEqual([[0, NXDOMAIN]]);
  });

  it('is not waited for when the end comes', () => {
    const { book, job, say } = batch(['gone.test', 'there.test'], { a: 'unproven' });
    say(job, 0, NXDOMAIN);
    expect(book.release()).toEqual([[0, NOT_BELIEVED]]);
  });

  it('is believed in what a mail server said', () => {
    const { job, say } = batch(['a.test'], { a: 'unproven' });
    expect(say(job, 0, ACCEPTED)).toEqual([[0, ACCEPTED]]);
  });
});

describe('a proven host', () => {
  it('is confirmed by another that says the like', () => {
    const { book, job, say, plan } = batch(['a.test'], { a: 'proven' });
    expect(say(job, 0, NXDOMAIN)).toEqual([]);
    expect(plan(a, b).assignments).toMatchObject([{ to: b, indexes: [0] }]);
    expect(say(book.assign(b, at(0)), 0, NXDOMAIN)).toEqual([[0, NXDOMAIN]]);
  });

  it('is not confirmed by one that is not believed itself, nor contradicted', () => {
    const { peers, book, job, say, plan } = batch(['a.test'], { a: 'proven', b: 'unproven' });
    say(job, 0, NXDOMAIN);
    expect(say(book.assign(b, at(0)), 0, REFUSED)).toEqual([]);
    expect(plan(a, b).final).toEqual([[0, NXDOMAIN]]);
    expect(peers.told).toEqual([]);
  });

  it.each<[string, Member[]]>([
    ['is alone', [a]],
    ['has beside it only one that is no better and avoided', [a, b]],
  ])('is believed if it %s', (_what, members) => {
    const { job, say, plan } = batch(['a.test'], { a: 'proven', b: 'unproven' }, ['b']);
    say(job, 0, NXDOMAIN);
    expect(plan(...members)).toMatchObject({ assignments: [], final: [[0, NXDOMAIN]] });
  });

  it('is believed at once if the other host has left, though it is still at a domain of which it said something', () => {
    const { job, say, plan } = batch(['a.test', 'a.test'], { a: 'proven' });
    say(job, 0, NXDOMAIN);
    expect(plan(a, b)).toMatchObject({ assignments: [], final: [] });
    expect(plan(a).final).toEqual([[0, NXDOMAIN]]);
  });

  it('is not believed for the rest while a third host is asked, the second not being believed itself', () => {
    const { book, job, say, plan } = batch(domains(21), { a: 'proven', b: 'unproven' });
    for (let n = 0; n < 21; n += 1) say(job, n, NXDOMAIN);
    const second = book.assign(b, plan(a, b).assignments[0]?.indexes ?? []);
    say(second, 0, REFUSED);
    expect(plan(a, b, c)).toMatchObject({ assignments: [{ to: c, indexes: [0] }], final: [] });
    book.assign(c, at(0));
    for (let n = 1; n < 20; n += 1) say(second, n, REFUSED);
    expect(plan(a, b, c)).toMatchObject({ assignments: [{ to: c }], final: [] });
  });

  it.each([
    ['by the same plan', 21, [{ to: c, indexes: Array.from({ length: 20 }, (_, n) => n + 1) }]],
    ['as soon as there is room', 41, []],
  ])('is not believed for the rest if a third host is asked %s', (_when, count, assignments) => {
    const { book, job, say, plan } = batch(domains(count), { a: 'proven', b: 'unproven' });
    for (let n = 1; n <= 20; n += 1) say(job, n, NXDOMAIN);
    plan(a, b);
    const second = book.assign(b, at(...Array(21).keys()).slice(1));
    for (let n = 0; n < 20; n += 1) say(second, n, REFUSED);
    // The rest comes first, and stands before those that the third host gets.
    say(job, 0, NXDOMAIN);
    expect(plan(a, b, c)).toMatchObject({ assignments, final: [] });
  });

  it('has 20 of 500 dead domains confirmed, and is believed for the rest', () => {
    const { peers, book, job, say, plan } = batch(domains(500), { a: 'proven' });
    for (let n = 0; n < 500; n += 1) say(job, n, NXDOMAIN);
    const [assignment, ...others] = plan(a, b).assignments;
    expect([assignment?.indexes.length, others]).toEqual([20, []]);
    const second = book.assign(b, assignment?.indexes ?? []);
    expect(plan(a, b)).toMatchObject({ assignments: [], final: [] });
    for (let n = 0; n < 20; n += 1) say(second, n, NXDOMAIN);
    expect(plan(a, b).final).toHaveLength(480);
    expect(book.complete).toBe(true);
    expect(peers.told).toEqual([]);
  });

  it('is believed of nothing more in a batch in which another reached what it could not', () => {
    const { book, job, say, plan } = batch(domains(30), { a: 'proven' });
    for (let n = 0; n < 30; n += 1) say(job, n, REFUSED);
    const [assignment] = plan(a, b).assignments;
    const second = book.assign(b, assignment?.indexes ?? []);
    for (let n = 0; n < 20; n += 1) expect(say(second, n, ACCEPTED)).toEqual([[n, ACCEPTED]]);
    expect(plan(a, b)).toMatchObject({
      assignments: [{ to: b, indexes: [20, 21, 22, 23, 24, 25, 26, 27, 28, 29] }],
      final: [],
    });
  });
});

describe('of two resolvers one of which says that there is nothing and one that got no answer', () => {
  const NO_ANSWER = seen({ kind: 'mx_lookup_failed' });
  /** What three hosts say of one domain, in order, and what is written. */
  const written = (...said: readonly LinkEvidence[]): readonly Final[] => {
    const { peers, book, job, say, plan } = batch(['a.test'], {});
    peers.vouches = false;
    const hosts = [a, b, c].slice(0, said.length);
    const [first = NO_ANSWER, ...others] = said;
    let final = say(job, 0, first);
    for (const [n, other] of others.entries()) {
      const [to] = plan(...hosts).assignments;
      if (to === undefined) throw new Error(`${n} others were asked`);
      final = say(book.assign(to.to, at(0)), 0, other);
    }
    return final.length > 0 ? final : plan(...hosts).final;
  };

  it.each([
    ['neither is believed', [NXDOMAIN, NO_ANSWER], NOT_BELIEVED],
    ['neither is believed, whoever was asked first', [NO_ANSWER, NXDOMAIN], NOT_BELIEVED],
    ['a third decides', [NO_ANSWER, NXDOMAIN, NXDOMAIN], NXDOMAIN],
    ['a third that got no answer makes it nobody’s word', [NXDOMAIN, NO_ANSWER, NO_ANSWER], NOT_BELIEVED],
    ['two that got none are believed', [NO_ANSWER, NO_ANSWER], NO_ANSWER],
  ])('%s', (_what, said, evidence) => {
    expect(written(...said)).toEqual([[0, evidence]]);
  });
});

describe('isFutile', () => {
  it.each<[string, Trust, number, Member[], boolean]>([
    ['20 domains in a row', 'proven', 20, [a, b], true],
    ['19 domains in a row', 'proven', 19, [a, b], false],
    ['20 domains, and nobody else', 'unproven', 20, [a], false],
    ['20 domains of a trusted host', 'trusted', 20, [a, b], false],
  ])('takes a job from a host that reached none of %s', (_name, standing, count, members, futile) => {
    const { book, job, say } = batch(domains(40), { a: standing });
    for (let n = 0; n < count; n += 1) say(job, n, REFUSED);
    expect(book.seconds.isFutile(job, members)).toBe(futile);
    say(job, 39, ACCEPTED);
    expect(book.seconds.isFutile(job, members)).toBe(false);
  });
});

it('says nothing wrong of a receiver, whichever hosts are sick, as long as one is well', () => {
  const sick = fc.constantFrom(
    REFUSED,
    NXDOMAIN,
    TIMEOUT,
    seen({ kind: 'mx_lookup_failed' }),
    seen({ kind: 'mx_private' }),
  );
  const standing = fc.constantFrom<Trust>('proven', 'unproven');
  const world = fc.record({
    lies: fc.record({ a: sick, b: sick }),
    trusts: fc.record({ a: standing, b: fc.constant<Trust>('unproven'), c: standing }),
    dead: fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
  });
  fc.assert(
    fc.property(world, ({ lies, trusts, dead }) => {
      // Host a begins; only c is well. A domain that is dead is so for c too.
      const { book, plan } = batch(domains(dead.length), trusts);
      const written = new Map<number, LinkEvidence>();
      const write = (found: readonly Final[]): void =>
        found.forEach(([index, evidence]) => written.set(index, evidence));
      for (let turn = 0; turn < 50 && !book.complete; turn += 1) {
        for (const job of book.jobs.values()) {
          for (const [inJob, index] of job.indexes.entries()) {
            const truth = dead[index] === true ? NXDOMAIN : ACCEPTED;
            const evidence = job.to.host === 'a' ? lies.a : job.to.host === 'b' ? lies.b : truth;
            write(book.hear(job, one(inJob, evidence)));
          }
          book.close(job, false);
        }
        const { assignments, final } = plan(a, b, c);
        write(final);
        for (const { to, indexes } of assignments) book.assign(to, indexes);
      }
      expect(book.complete).toBe(true);
      for (const [index, isDead] of dead.entries()) {
        const { outcome } = written.get(index) ?? UNPROBED_HOST;
        if (!isDead) expect(outcome).toEqual(ACCEPTED.outcome);
      }
    }),
  );
});
