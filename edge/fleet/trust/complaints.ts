import type { Canary } from '../../../schema/link.ts';
import { APART, DIFFERS, SILENT } from '../../../schema/words/fleet-troubles.ts';

/** Complaints about a host, in words for an operator: each has its row in `prober/runbooks/host-sick.md`. */
export const COMPLAINTS = {
  selfCheck: (failing: readonly Canary[]) =>
    failing.length === 0 ? 'its self-check fails' : (`its self-check fails: ${failing.join(', ')}` as const),
  refuses: (why: string) => `refuses every job: ${why}` as const,
  unanswered: 'leaves every job unanswered',
  silent: SILENT,
  differs: DIFFERS,
  apart: APART,
} as const;
