import type { Canary } from '../../../schema/link.ts';

/** What is held against a host, in words for an operator: each has its row in `prober/runbooks/host-sick.md`. */
export const COMPLAINTS = {
  selfCheck: (failing: readonly Canary[]) =>
    failing.length === 0 ? 'its self-check fails' : (`its self-check fails: ${failing.join(', ')}` as const),
  refuses: (why: string) => `refuses every job: ${why}` as const,
  reachedNone: (receivers: number) => `reached none of ${receiversOf(receivers)} that other hosts reached` as const,
  missed: (receivers: number) => `could not reach ${receiversOf(receivers)} that other hosts reached` as const,
  denies: (domains: number) => `its resolver denies ${domains} domains that other hosts found` as const,
  standsAlone: (domains: number) => `says of mailboxes at ${domains} domains what no other host says` as const,
};
export type Complaint = ReturnType<(typeof COMPLAINTS)[keyof typeof COMPLAINTS]>;

function receiversOf(count: number) {
  return count === 1 ? '1 receiver' : (`${count} receivers` as const);
}
