import type { Outcome } from '../../../schema/evidence.ts';
import type { Complaint } from '../limits/complaint.ts';
import type { Silence } from '../wire/wire.ts';

/** Why there is no session in which anybody could be asked about. */
export type Setback = {
  /** How far it got: our own pace, the connection, the greeting, or EHLO and STARTTLS after a good greeting. */
  readonly stage: 'pace' | 'dial' | 'greeting' | 'hello';
  /** `refused`: by a reply; at `pace`, by a cool-down. `no_route`: this host has no way to such an address. */
  readonly cause: 'refused' | 'no_route' | Silence;
  /** What it is evidence of; null if the batch ended or this host has no route. */
  readonly outcome: Outcome | null;
  /** What the server complained of. */
  readonly complaint: Complaint | null;
};

export type Failed = { readonly kind: 'failed'; readonly setback: Setback };

export function failed(
  stage: Setback['stage'],
  cause: Setback['cause'],
  outcome: Outcome | null,
  complaint: Complaint | null = null,
): Failed {
  return { kind: 'failed', setback: { stage, cause, outcome, complaint } };
}

/** The server took part: it sent a reply, if only to refuse us. */
export function hasSpoken({ stage, cause }: Setback): boolean {
  return stage === 'hello' || (stage === 'greeting' && cause === 'refused');
}
