import type { Outcome } from '../../../schema/evidence.ts';
import type { Complaint } from '../meaning/complaint.ts';
import type { Silence } from './wire/connection.ts';

/** Why there is no session in which to ask about anyone. */
export type SessionFailure = {
  /** How far it got: our own limits, the connection, the greeting, or EHLO and STARTTLS after a good greeting. */
  readonly stage: 'limits' | 'dial' | 'greeting' | 'hello';
  /** `refused`: by a reply; at `limits`, by a cool-down. `no_route`: this host has no way to such an address. */
  readonly cause: 'refused' | 'no_route' | Silence;
  /** What it is evidence of; null if the batch ended or this host has no route. */
  readonly outcome: Outcome | null;
  readonly complaint: Complaint | null;
  /** Its greeting says that it takes no mail at all. */
  readonly deniesMail: boolean;
  /** Our other connections there may be the reason, or our RSET: then it is no evidence. */
  readonly isOurs: boolean;
};

export type Failed = { readonly kind: 'failed'; readonly failure: SessionFailure };

export function failed(
  stage: SessionFailure['stage'],
  cause: SessionFailure['cause'],
  outcome: Outcome | null,
  complaint: Complaint | null = null,
  deniesMail = false,
): Failed {
  return { kind: 'failed', failure: { stage, cause, outcome, complaint, deniesMail, isOurs: false } };
}

/** What a host without mail service does: it cannot be connected to, is no SMTP server, or says that it takes no mail. */
export function isNoMailHost({ stage, cause, deniesMail }: SessionFailure): boolean {
  if (stage === 'dial') return cause === 'lost' || cause === 'timeout';
  return deniesMail || (stage === 'greeting' && cause === 'garbage');
}

/** No session could be had because the server complains about us, or is in cool-down because it did. */
export function isSentAway({ failure }: Failed): boolean {
  return failure.complaint !== null || failure.stage === 'limits';
}
