import { describe, expect, it } from 'vitest';
import { ACCEPTED, seen } from '../../../schema/testing/link-evidence.ts';
import { at, one } from '../../testing/indexes.ts';
import { makeMember } from '../../testing/member.ts';
import { ScriptedBook } from '../../testing/scripted-book.ts';
import type { Member } from '../trust/roster.ts';

const PLENTY_MS = 60_000;
const lot = (): number => 0;
const member = (host: string, egress: string = host): Member =>
  makeMember({ host, instance: `i-${host}`, egress: [egress] });
const [a, b, c] = [member('a'), member('b'), member('c')];

const REST = seen({ kind: 'unprobed', why: 'cooldown', waitS: 3_600 });
/** A batch of one address whose first job went to `a` while these were there. */
function first(...members: readonly Member[]) {
  const book = new ScriptedBook(['a.test']);
  return { book, job: book.assign(a, at(0), members) };
}

describe('what a host leaves alone', () => {
  it('may be declined only while a host with another address is there', () => {
    const twin = member('twin', 'a');
    expect(first(a, b).job.mayDecline).toBe(true);
    expect(first(a).job.mayDecline).toBe(false);
    expect(first(a, twin).job.mayDecline).toBe(false);
    expect(first(a, { ...b, egress: ['default'] }).job.mayDecline).toBe(false);
  });

  it('goes to another host, which must ask if nobody is left behind it', () => {
    const { book, job } = first(a, b);
    expect(book.hear(job, one(0, REST))).toEqual([]);
    const [assignment] = book.plan([a, b], PLENTY_MS, lot).assignments;
    expect(assignment).toMatchObject({ to: b, indexes: [0] });
    const second = book.assign(b, at(0), [a, b]);
    expect(second.mayDecline).toBe(false);
    expect(book.hear(second, one(0, ACCEPTED))).toEqual([[0, ACCEPTED]]);
  });

  it('goes to a host that no provider refuses before one that some do', () => {
    const { book, job } = first(a, b, c);
    book.hear(job, one(0, REST));
    const burned = { ...b, refusing: 1 };
    expect(book.plan([a, burned, { ...c, jobs: 5 }], PLENTY_MS, lot).assignments).toMatchObject([
      { to: { ...c, jobs: 5 }, indexes: [0] },
    ]);
    expect(book.plan([a, burned], PLENTY_MS, lot).assignments).toMatchObject([{ to: burned, indexes: [0] }]);
  });

  it('comes back to who declined it if the others have gone, and then must be asked', () => {
    const { book, job } = first(a, b);
    book.hear(job, one(0, REST));
    expect(book.plan([a], PLENTY_MS, lot)).toMatchObject({ assignments: [{ to: a, indexes: [0] }], final: [] });
    const again = book.assign(a, at(0), [a, b]);
    expect(again.mayDecline).toBe(false);
    book.hear(again, one(0, REST));
    expect(book.plan([a], PLENTY_MS, lot)).toEqual({ assignments: [], final: [[0, REST]] });
  });

  it('is what it is when the receiver itself asked for the rest: nobody is asked twice', () => {
    const { book, job } = first(a);
    book.hear(job, one(0, REST));
    expect(book.plan([a], PLENTY_MS, lot)).toEqual({ assignments: [], final: [[0, REST]] });
  });
});
