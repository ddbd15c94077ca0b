import { describe, expect, it } from 'vitest';
import { makeMember } from '../../testing/member.ts';
import { connectedHosts } from './connected-hosts.ts';
import type { Member } from '../trust/host.ts';

const process = (host: string, instance: string, changes: Partial<Member> = {}): Member =>
  makeMember({ host, instance, egress: ['192.0.2.1'] }, changes);
/** A sick process gives its reason in the name of its instance. */
const complaint = ({ instance }: Member): string | null => (instance.startsWith('sick') ? `${instance} says so` : null);
const shown = (...members: Member[]) => connectedHosts(members, complaint);

describe('connectedHosts', () => {
  it('lists each host once, in roster order, with its jobs added up', () => {
    const hosts = shown(
      process('a', 'a1', { jobs: 2 }),
      process('b', 'b1', { jobs: 7 }),
      process('a', 'a2', { jobs: 3 }),
    );
    expect(hosts.map(({ id, instances, jobs }) => [id, instances, jobs])).toEqual([
      ['a', 2, 5],
      ['b', 1, 7],
    ]);
  });

  it('counts a host as healthy while one of its processes is, and marks which', () => {
    const [host] = shown(process('a', 'sick', { startedAt: 2 }), process('a', 'well', { startedAt: 1 }));
    expect(host).toMatchObject({ healthy: true, why: null });
    expect(host?.processes?.map(({ healthy }) => healthy)).toEqual([false, true]);
  });

  it('gives the reason of the first process if a host is not healthy', () => {
    expect(shown(process('a', 'sick-1'), process('a', 'sick-2'))).toMatchObject([
      { healthy: false, why: 'sick-1 says so' },
    ]);
  });

  it('counts a host as draining only if all its processes are', () => {
    const [draining, taking] = [process('a', 'a1', { draining: true }), process('a', 'a2')];
    expect(shown(draining, taking)).toMatchObject([{ draining: false }]);
    expect(shown(draining, draining)).toMatchObject([{ draining: true }]);
  });
});
