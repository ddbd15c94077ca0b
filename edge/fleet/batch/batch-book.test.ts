import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import type { LinkEvidence } from '../../../schema/link.ts';
import { rankAcrossHosts } from '../../../schema/outcomes.ts';
import { ACCEPTED, NO_BANNER, POLICY, seen, TIMEOUT, UNPROBED_HOST } from '../../../schema/testing/link-evidence.ts';
import type { Final } from './batch-book.ts';
import type { Job } from './job.ts';
import { LIMITS } from './limits.ts';
import type { Member } from '../trust/roster.ts';
import { at, one } from '../../testing/indexes.ts';
import { makeMember } from '../../testing/member.ts';
import { ScriptedBook } from '../../testing/scripted-book.ts';

const PLENTY_MS = 60_000;
const COOLING = seen({ kind: 'unprobed', why: 'cooldown', waitS: 600 });
const LATE = seen({ kind: 'unprobed', why: 'deadline', waitS: null });
const lot = (): number => 0;

function member(host: string, egress: string = host): Member {
  return makeMember({ host, instance: `i-${host}`, egress: [egress] });
}
const a = member('a');
const b = member('b');
const c = member('c');

/** A batch of addresses of these domains, all with host `a`. */
function given(...domains: string[]): { book: ScriptedBook; job: Job } {
  const book = new ScriptedBook(domains);
  const [assignment] = book.plan([a], PLENTY_MS, lot).assignments;
  if (assignment === undefined) throw new Error('nothing was given');
  return { book, job: book.assign(assignment.to, assignment.indexes) };
}

describe('BatchBook', () => {
  it('gives the whole batch under attempt 1', () => {
    const { job } = given('a.test', 'b.test');
    expect(job).toMatchObject({ jobId: 'batch.1', indexes: [0, 1] });
  });

  it('is complete when every address has its evidence, and takes each once', () => {
    const { book, job } = given('a.test', 'b.test');
    expect(book.hear(job, one(1, ACCEPTED))).toEqual([[1, ACCEPTED]]);
    expect(book.hear(job, one(1, TIMEOUT))).toEqual([]);
    expect(book.complete).toBe(false);
    expect(book.hear(job, one(0, TIMEOUT))).toEqual([[0, TIMEOUT]]);
    expect(book.complete).toBe(true);
  });

  it('gives the rest of a lost job to a host that did not lose it, under the next attempt', () => {
    const { book, job } = given('a.test', 'b.test', 'c.test');
    book.hear(job, one(1, ACCEPTED));
    book.close(job, true);
    expect(book.plan([a], PLENTY_MS, lot).assignments).toEqual([]);
    expect(book.waiting).toBe(true);
    const [assignment] = book.plan([a, b], PLENTY_MS, lot).assignments;
    expect(assignment).toMatchObject({ to: b, indexes: [0, 2] });
    const next = book.assign(b, at(0, 2));
    expect(next.jobId).toBe('batch.2');
    // Its second address is the batch's third.
    expect(book.hear(next, one(1, TIMEOUT))).toEqual([[2, TIMEOUT]]);
  });

  it('gives nothing more after three lost jobs', () => {
    const { book, job } = given('a.test');
    book.close(job, true);
    book.close(book.assign(b, at(0)), true);
    expect(book.exhausted).toBe(false);
    book.close(book.assign(c, at(0)), true);
    expect(book.exhausted).toBe(true);
    expect(book.plan([member('d')], PLENTY_MS, lot).assignments).toEqual([]);
  });

  it('loses a job once, however often it is closed', () => {
    const { book, job } = given('a.test');
    for (let n = 0; n < 3; n += 1) book.close(job, true);
    expect(book.exhausted).toBe(false);
    const next = book.assign(b, at(0));
    book.close(job, true);
    expect(book.jobs.get(next.jobId)).toBe(next);
    expect(book.waiting).toBe(false);
  });

  it('gives 999 attempts at most', () => {
    const { book } = given('a.test');
    book.ids.skip([998]);
    expect(book.exhausted).toBe(false);
    expect(book.assign(b, at(0)).jobId).toBe('batch.999');
    expect(book.exhausted).toBe(true);
  });

  it('takes the third answer as final, whatever it is', () => {
    const { book, job } = given('a.test');
    expect(book.hear(job, one(0, UNPROBED_HOST))).toEqual([]);
    expect(book.hear(book.assign(b, at(0)), one(0, UNPROBED_HOST))).toEqual([]);
    expect(book.hear(book.assign(c, at(0)), one(0, UNPROBED_HOST))).toEqual([[0, UNPROBED_HOST]]);
  });

  it('keeps the first of two refusals that got as far', () => {
    const { book, job } = given('a.test');
    book.hear(job, one(0, POLICY));
    const later = seen({ kind: 'policy_rejected', reply: { code: 554, enhanced: null } });
    expect(book.hear(book.assign(b, at(0)), one(0, later))).toEqual([[0, POLICY]]);
  });

  it('does not count a refused job as lost', () => {
    const { book, job } = given('a.test');
    book.close(job, false);
    expect(book.exhausted).toBe(false);
    expect(book.plan([a, b], PLENTY_MS, lot).assignments).toMatchObject([{ to: b, indexes: [0] }]);
  });

  it.each([
    ['policy_rejected', POLICY],
    ['no_banner', NO_BANNER],
    ['ehlo_rejected', seen({ kind: 'ehlo_rejected' })],
    ['mail_from_rejected', seen({ kind: 'mail_from_rejected' })],
    ['a provider that cools down', COOLING],
    ['a host that cannot work', UNPROBED_HOST],
  ])('holds %s back while another host may learn more', (_name, evidence) => {
    const { book, job } = given('a.test');
    expect(book.hear(job, one(0, evidence))).toEqual([]);
    expect(book.plan([a, b], PLENTY_MS, lot)).toMatchObject({ assignments: [{ to: b, indexes: [0] }], final: [] });
    const second = book.assign(b, at(0));
    expect(book.hear(second, one(0, ACCEPTED))).toEqual([[0, ACCEPTED]]);
  });

  it.each([
    ['timeout', TIMEOUT],
    ['a deadline', LATE],
    ['a deferral', seen({ kind: 'deferred', deferral: { cause: 'busy', askedS: null } })],
  ])('takes %s as final', (_name, evidence) => {
    const { book, job } = given('a.test');
    expect(book.hear(job, one(0, evidence))).toEqual([[0, evidence]]);
  });

  it.each([
    ['no other host is there', [a], PLENTY_MS],
    ['no other egress address is there', [a, member('twin', 'a')], PLENTY_MS],
    ['too little time is left', [a, b], LIMITS.secondTryMs - 1],
  ])('writes a refusal at once if %s', (_name, members, remainingMs) => {
    const { book, job } = given('a.test');
    book.hear(job, one(0, NO_BANNER));
    expect(book.plan(members, remainingMs, lot)).toEqual({ assignments: [], final: [[0, NO_BANNER]] });
    expect(book.complete).toBe(true);
  });

  it('tries a second host while just enough time is left', () => {
    const { book, job } = given('a.test');
    book.hear(job, one(0, NO_BANNER));
    expect(book.plan([b], LIMITS.secondTryMs, lot).assignments).toMatchObject([{ to: b, indexes: [0] }]);
  });

  it('writes a refusal at once if its address is not given out any more', () => {
    const { book, job } = given('a.test', 'b.test');
    book.hear(job, one(0, NO_BANNER));
    for (const host of [b, c, member('d')]) book.close(book.assign(host, at(0)), true);
    expect(book.plan([member('e')], PLENTY_MS, lot)).toEqual({ assignments: [], final: [[0, NO_BANNER]] });
  });

  it('goes on with addresses that were not lost when others are given up', () => {
    const { book, job } = given('a.test', 'b.test');
    book.hear(job, one(1, NO_BANNER));
    book.close(job, true);
    for (const host of [b, c]) book.close(book.assign(host, at(0)), true);
    expect(book.waiting).toBe(false);
    expect(book.plan([member('d')], PLENTY_MS, lot).assignments).toMatchObject([{ indexes: [1] }]);
  });

  it('lets a host of the same egress address try what its neighbour was too sick for', () => {
    const { book, job } = given('a.test');
    const twin = member('twin', 'a');
    book.hear(job, one(0, UNPROBED_HOST));
    expect(book.plan([twin], PLENTY_MS, lot).assignments).toMatchObject([{ to: twin, indexes: [0] }]);
  });

  it('keeps the first refusal unless the second host got further', () => {
    const { book, job } = given('a.test', 'b.test', 'c.test', 'd.test');
    book.hear(job, [...one(0, POLICY), ...one(1, NO_BANNER), ...one(2, POLICY), ...one(3, NO_BANNER)]);
    const second = book.assign(b, at(0, 1, 2, 3));
    const items = [...one(0, NO_BANNER), ...one(1, POLICY), ...one(2, UNPROBED_HOST), ...one(3, TIMEOUT)];
    expect(book.hear(second, items)).toEqual([
      [0, POLICY],
      [1, POLICY],
      [3, NO_BANNER],
    ]);
    // The second host could not probe at all: one more may.
    expect(book.plan([a, b, c], PLENTY_MS, lot).assignments).toMatchObject([{ to: c, indexes: [2] }]);
    expect(book.plan([a, b], PLENTY_MS, lot).final).toEqual([[2, POLICY]]);
  });

  it('keeps the first refusal if the second host is lost', () => {
    const { book, job } = given('a.test');
    book.hear(job, one(0, NO_BANNER));
    book.close(book.assign(b, at(0)), true);
    expect(book.plan([a, b], PLENTY_MS, lot).final).toEqual([[0, NO_BANNER]]);
  });

  it('sends no second host to a domain that the first is still at', () => {
    const { book, job } = given('a.test', 'a.test', 'b.test');
    book.hear(job, [...one(0, POLICY), ...one(2, POLICY)]);
    expect(book.plan([b], PLENTY_MS, lot).assignments).toMatchObject([{ to: b, indexes: [2] }]);
    book.assign(b, at(2));
    expect(book.plan([b], PLENTY_MS, lot)).toEqual({ assignments: [], final: [] });
    book.hear(job, one(1, ACCEPTED));
    expect(book.plan([b], PLENTY_MS, lot).assignments).toMatchObject([{ to: b, indexes: [0] }]);
  });

  it('sends no second host to a domain that waits for its first', () => {
    const { book, job } = given('a.test', 'a.test');
    book.hear(job, one(0, POLICY));
    book.close(job, true);
    expect(book.plan([b], PLENTY_MS, lot).assignments).toMatchObject([{ to: b, indexes: [1] }]);
  });

  it('counts the addresses of one domain as one lane', () => {
    const book = new ScriptedBook(['a.test', 'a.test'], undefined, { ...LIMITS, lanes: 1 });
    book.hear(book.assign(a, at(0, 1)), [...one(0, POLICY), ...one(1, POLICY)]);
    expect(book.plan([b], PLENTY_MS, lot).assignments).toMatchObject([{ to: b, indexes: [0, 1] }]);
  });

  it('shares the lanes among all that it gives out at once', () => {
    const book = new ScriptedBook(['a.test', 'b.test'], undefined, { ...LIMITS, lanes: 1 });
    book.hear(book.assign(a, at(0)), one(0, POLICY));
    book.hear(book.assign(c, at(1)), one(0, POLICY));
    expect(book.plan([b], PLENTY_MS, lot).assignments).toMatchObject([{ to: b, indexes: [0] }]);
  });

  it('never has more than 20 domains of a batch under way', () => {
    const domains = Array.from({ length: 40 }, (_, n) => `d${n}.test`);
    const { book, job } = given(...domains);
    for (let n = 0; n < 25; n += 1) book.hear(job, one(n, NO_BANNER));
    // 15 are still with the first host: 5 lanes are free.
    const [assignment] = book.plan([b], PLENTY_MS, lot).assignments;
    expect(assignment?.indexes).toEqual([0, 1, 2, 3, 4]);
  });

  it('releases what it held back when asked to', () => {
    const { book, job } = given('a.test', 'b.test');
    book.hear(job, one(0, POLICY));
    book.assign(b, at(0));
    expect(book.release()).toEqual([[0, POLICY]]);
    expect(book.release()).toEqual([]);
  });

  it('takes what was released as final, whatever its second host says or fails to say', () => {
    const { book, job } = given('a.test', 'b.test');
    book.hear(job, [...one(0, POLICY), ...one(1, POLICY)]);
    const second = book.assign(b, at(0, 1));
    book.release();
    expect(book.hear(second, one(0, ACCEPTED))).toEqual([]);
    book.close(second, true);
    expect(book.complete).toBe(true);
    expect(book.plan([c], PLENTY_MS, lot)).toEqual({ assignments: [], final: [] });
  });

  it('does not give an attempt of an earlier object again', () => {
    const book = new ScriptedBook(['a.test']);
    book.ids.skip([1, 3, 2]);
    expect(book.assign(a, at(0)).jobId).toBe('batch.4');
  });

  it('takes the first job of an earlier object up again', () => {
    const book = new ScriptedBook(['a.test', 'b.test']);
    const job = book.resume(a, { n: 1, indexes: at(0, 1) });
    expect(job).toMatchObject({ jobId: 'batch.1', indexes: [0, 1] });
    expect(book.hear(job, one(1, ACCEPTED))).toEqual([[1, ACCEPTED]]);
    book.close(job, true);
    expect(book.assign(b, at(0)).jobId).toBe('batch.2');
  });

  it('writes each address at most once and all in the end, whatever hosts do', () => {
    const outcomes = [ACCEPTED, POLICY, NO_BANNER, TIMEOUT, UNPROBED_HOST, COOLING];
    const step = fc.record({
      kind: fc.constantFrom('hear', 'lose', 'done', 'plan', 'plan'),
      job: fc.nat(3),
      inJob: fc.nat(7),
      evidence: fc.constantFrom(...outcomes),
      members: fc.subarray([a, b, c, member('twin', 'a')]),
      remainingMs: fc.constantFrom(PLENTY_MS, 1_000),
    });
    const domains = fc.array(fc.constantFrom('a.test', 'b.test', 'c.test'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(domains, fc.array(step, { maxLength: 60 }), (names, steps) => {
        const book = new ScriptedBook(names);
        const written = new Map<number, LinkEvidence>();
        const heard = new Map<number, Outcome[]>();
        const write = (found: readonly Final[]): void => {
          for (const [index, evidence] of found) {
            expect(written.has(index)).toBe(false);
            written.set(index, evidence);
          }
        };
        for (const { kind, job: n, inJob, evidence, members, remainingMs } of steps) {
          const job = [...book.jobs.values()][n % Math.max(1, book.jobs.size)];
          if (kind === 'plan') {
            const { assignments, final } = book.plan(members, remainingMs, lot);
            write(final);
            for (const { to, indexes } of assignments) {
              expect(indexes.some((index) => written.has(index))).toBe(false);
              book.assign(to, indexes);
            }
          } else if (job !== undefined && kind === 'hear') {
            const index = job.indexes[inJob];
            if (index !== undefined && [...job.open].some((open) => open === inJob)) {
              heard.set(index, [...(heard.get(index) ?? []), evidence.outcome]);
            }
            write(book.hear(job, one(inJob, evidence)));
          } else if (job !== undefined) book.close(job, kind === 'lose');
          expect(book.complete).toBe(written.size === names.length);
        }
        write(book.release());
        for (const [index, { outcome }] of written) {
          // What is written is the evidence that got furthest.
          expect(rankAcrossHosts(outcome)).toBe(Math.max(...(heard.get(index) ?? []).map(rankAcrossHosts)));
        }
        for (const index of heard.keys()) expect(written.has(index)).toBe(true);
      }),
    );
  });
});
