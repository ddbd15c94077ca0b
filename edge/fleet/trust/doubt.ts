import type { Outcome } from '../../../schema/evidence.ts';
import type { LinkEvidence } from '../../../schema/link.ts';
import { isDoubtful, OUTCOMES, rankAcrossHosts, wasGreeted } from '../../../schema/outcomes.ts';
import type { Trust } from './host-record.ts';
import type { HostRef } from './roster.ts';

// Evidence that a host without a resolver or a way out would give as well, and how far it is believed: pure.

/** The number of the row without MX; those of a job begin at 500. */
export const NO_MX = 0;

/** Evidence, and the process that it is from. */
export type Heard = { readonly from: HostRef; readonly evidence: LinkEvidence };
/** How a process stands at this moment. */
export type TrustOf = (host: HostRef) => Trust;

/** A server that greeted us proves that the host works, even if the session failed later. */
export function isInDoubt(outcome: Outcome): boolean {
  return isDoubtful(outcome) && !wasGreeted(outcome);
}

/** Whether a resolver alone said so: that the domain takes no mail, or that it got no answer. Cheap to ask again. */
export function isDenial(outcome: Outcome): boolean {
  return isInDoubt(outcome) && (OUTCOMES[outcome.kind].fromDns || outcome.kind === 'mx_lookup_failed');
}

/** Whether a resolver got an answer: that nothing is there. That it got none is no word against another's. */
export function isFirmDenial(outcome: Outcome): boolean {
  return isDenial(outcome) && outcome.kind !== 'mx_lookup_failed';
}

/** Whether a mail server was there, so that a host which could not reach it is contradicted. */
export function provesReach(outcome: Outcome): boolean {
  return wasGreeted(outcome) || outcome.kind === 'no_banner';
}

/** Which of two hosts' evidence about one address counts: what is believed before what is not, then what got further. */
export function better(first: Heard | null, second: Heard, trustOf: TrustOf): Heard {
  if (first === null) return second;
  const order = weight(second, trustOf) - weight(first, trustOf);
  if (order !== 0) return order > 0 ? second : first;
  return rankAcrossHosts(second.evidence.outcome) > rankAcrossHosts(first.evidence.outcome) ? second : first;
}

function weight({ from, evidence: { outcome } }: Heard, trustOf: TrustOf): number {
  if (outcome.kind === 'unprobed') return 0;
  if (!isInDoubt(outcome)) return 4;
  if (trustOf(from) === 'unproven') return 1;
  // A resolver that got an answer knows more than one that got none.
  return outcome.kind === 'mx_lookup_failed' ? 2 : 3;
}

/** What is written if evidence in doubt is not believed: the host answers for nobody. */
export function believed(heard: Heard, trustOf: TrustOf): LinkEvidence {
  const { from, evidence } = heard;
  return isInDoubt(evidence.outcome) && trustOf(from) === 'unproven' ? notBelieved(evidence) : evidence;
}

/** The same address, as one that nobody was asked about. */
export function notBelieved(evidence: LinkEvidence): LinkEvidence {
  return { ...evidence, mx: NO_MX, outcome: { kind: 'unprobed', why: 'host', waitS: null } };
}
