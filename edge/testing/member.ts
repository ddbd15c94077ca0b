import type { Member } from '../fleet/trust/host.ts';

/** A healthy process of a host that does nothing, last seen at 0. */
export function makeMember(who: Pick<Member, 'host' | 'instance' | 'egress'>, changes: Partial<Member> = {}): Member {
  return {
    ...who,
    version: '1.0.0',
    startedAt: 0,
    heardAt: 0,
    draining: false,
    healthy: true,
    checked: true,
    failing: [],
    reachedAtMs: -Infinity,
    jobs: 0,
    addresses: 0,
    slots: 1_000,
    cooling: 0,
    refusals: [],
    egressTroubles: [],
    ...changes,
  };
}
