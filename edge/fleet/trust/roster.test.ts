import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimant, eligible, type Member, otherEgress, otherHosts, pick, type Rate, untried } from './roster.ts';
import { makeMember } from '../../testing/member.ts';

function member(instance: string, changes: Partial<Member> = {}): Member {
  const who = { host: `host-of-${instance}`, instance, egress: ['default'] };
  return makeMember(who, changes);
}
const first = (): number => 0;
const EQUAL: Rate = () => ({ trust: 'trusted', avoided: false, assigned: 0, assignedAddresses: 0, chances: 0 });
const names = (members: readonly Member[]): string[] => members.map(({ instance }) => instance);

describe('eligible', () => {
  it.each([
    ['well', {}, true],
    ['draining', { draining: true }, false],
    ['not healthy', { healthy: false }, false],
  ])('decides on a member that is %s', (_name, changes, takes) => {
    expect(eligible([member('a', changes)])).toHaveLength(takes ? 1 : 0);
  });
});

describe('pick', () => {
  it.each([
    ['nobody from nobody', [], null],
    ['the one with the fewest jobs', [member('a', { jobs: 2 }), member('b', { jobs: 1, cooling: 9 })], 'b'],
    ['of equals the one with the fewest cooling providers', [member('a', { cooling: 2 }), member('b')], 'b'],
    [
      'the newest process of an enrolment, even if it has more jobs',
      [member('old', { host: 'h', startedAt: 1 }), member('new', { host: 'h', startedAt: 2, jobs: 5 })],
      'new',
    ],
  ])('takes %s', (_name, members, instance) => {
    expect(pick(members, EQUAL, first)?.instance ?? null).toBe(instance);
  });

  it('draws lots among equals', () => {
    const members = ['a', 'b', 'c', 'd'].map((name) => member(name));
    expect([0, 0.25, 0.5, 0.999].map((lot) => pick(members, EQUAL, () => lot)?.instance)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('never takes a member that another one of its list beats', () => {
    const members = fc.array(
      fc.record({ host: fc.constantFrom('a', 'b', 'c'), startedAt: fc.nat(3), jobs: fc.nat(3), cooling: fc.nat(3) }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(members, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (list, lot) => {
        const all = list.map((changes, n) => member(String(n), changes));
        const picked = pick(all, EQUAL, () => lot);
        expect(picked === null).toBe(all.length === 0);
        if (picked === null) return;
        const newest = all.filter((m) => !all.some((o) => o.host === m.host && o.startedAt > m.startedAt));
        expect(newest).toContain(picked);
        const others = all.filter((m) => !all.some((o) => o.host === m.host && o.startedAt >= m.startedAt && o !== m));
        for (const { jobs, cooling } of others) {
          expect(picked.jobs < jobs || (picked.jobs === jobs && picked.cooling <= cooling)).toBe(true);
        }
      }),
    );
  });
});

describe('who may try again', () => {
  const one = member('one', { host: 'h', egress: ['192.0.2.1', '192.0.2.2'] });
  const sibling = member('sibling', { host: 'h', egress: ['192.0.2.9'] });
  const same = member('same', { egress: ['192.0.2.2'] });
  const partly = member('partly', { egress: ['192.0.2.2', '192.0.2.3'] });
  const other = member('other', { egress: ['192.0.2.4'] });
  const undeclared = member('undeclared');
  const all = [one, sibling, same, partly, other, undeclared];

  it('leaves out the very processes that tried if a job was lost', () => {
    expect(names(untried(all, [one]))).toEqual(['sibling', 'same', 'partly', 'other', 'undeclared']);
  });

  it('leaves out every process of a host that could not work', () => {
    expect(names(otherHosts(all, [one]))).toEqual(['same', 'partly', 'other', 'undeclared']);
  });

  it('wants an egress address of which it is known that none of those tried has it', () => {
    expect(names(otherEgress(all, [one]))).toEqual(['partly', 'other']);
    expect(names(otherEgress(all, [one, other]))).toEqual(['partly']);
    expect(names(otherEgress(all, [undeclared]))).toEqual(['one', 'sibling', 'same', 'partly', 'other']);
  });

  it('finds the member that says it has a job', () => {
    expect(claimant([one, member('two', { running: ['b.1'] })], 'b.1')?.instance).toBe('two');
    expect(claimant([one], 'b.1')).toBeNull();
  });
});
