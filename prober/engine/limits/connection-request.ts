import type { Account } from '../ports/ports.ts';
import type { Egress } from '../ports/settings.ts';
import type { Family } from '../targets/routable.ts';
import type { Recallable } from '../wire/time-limit.ts';
import type { Complaint } from './server/complaint.ts';
import type { StreakId } from './server/refusal-streak.ts';

// What a connection asks of the limits, what it is given, and what it reports when it ends.

/** How a session went: the server `served` recipients of ours, complained of us, or neither. */
export type SessionResult = 'served' | 'neutral' | Complaint;

/** How many recipients that a gateway does not know one account may still name there in this hour. */
export type RecipientAllowance = {
  readonly left: () => number;
  /** Counts a recipient that is about to be named, and that the gateway may not know. */
  readonly count: () => void;
  /** The gateway knew it. */
  readonly uncount: () => void;
  /** A recipient is not asked about because none is left. @returns seconds until one is */
  readonly refuse: () => number;
};

/** Leave to connect, held until it is released. */
export type ConnectionPermit = {
  readonly egress: Egress;
  /** The server accepted the connection: it greeted, and answered EHLO. */
  readonly accepted: () => void;
  /**
   * The server rejected the connection. If that may be because of others of ours, of any batch, it is evidence of nothing,
   * and no more than the number returned are let through from now on. Null: no other connection was there.
   * @param hasOwnCause the server named another reason, or had time enough to see that the connection just before had ended
   */
  readonly rejected: (hasOwnCause: boolean) => Promise<number | null>;
  /**
   * The server put the connection off.
   * @param at where; `opening` is before it had accepted it
   * @returns whether that may be because of our crowd: then it is evidence of nothing, and fewer are started
   */
  readonly deferred: (at: 'opening' | 'mail' | 'rcpt') => boolean;
  /** The current streak of refusals at the address. */
  readonly streak: () => StreakId;
  /** Reports a result for one domain of a session that serves several. `since`: the streak when it was first asked about. */
  readonly report: (domain: string, result: SessionResult, since: StreakId) => void;
  /** How many unknown recipients may be named there. */
  readonly allowance: RecipientAllowance;
  /** Whether the address cools down by now, for everybody or for this account. */
  readonly isCooling: () => boolean;
  /** Whether another connection waits for this one to end. */
  readonly isWanted: () => boolean;
  /** The same, and it is another account's turn. */
  readonly isWantedByOther: () => boolean;
  /** Whether it should end between two recipients: another account that holds fewer waits for its place. */
  readonly isDue: () => boolean;
  /** Says what is to be ended if it only waits for the server, and an account that holds fewer wants its place; null: nothing. */
  readonly holds: (connection: Recallable | null) => void;
  /** Gives it back, with the result for the request's domain. */
  readonly release: (result: SessionResult) => void;
};

export type LimitDecision =
  | ({ readonly kind: 'go' } & ConnectionPermit)
  /**
   * From every egress address the address cools down past the deadline, has no unknown recipients left, or has shown that it
   * bears so few starts a minute that this one would come too late.
   */
  | { readonly kind: 'cooling'; readonly waitS: number }
  /** The signal fired while waiting. */
  | { readonly kind: 'ended' }
  /** No egress address is of the family. */
  | { readonly kind: 'no_egress' };

/** A request to connect. */
export type ConnectionRequest = {
  readonly account: Account;
  /** It is for a session that helps another of the same domain: it is ended as soon as another account wants its place. */
  readonly helps?: boolean | undefined;
  /** The domain that is asked about. */
  readonly domain: string;
  /** The MX host by the name whose addresses were looked up. */
  readonly host: string;
  readonly ip: string;
  readonly family: Family;
  /** The mail host is the operator's own: unknown recipients have no limit there, unless it plays a listed provider. */
  readonly isOwn?: true | undefined;
  /** When waiting is no longer worth it, in the clock's milliseconds. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** As `ProbeBatch.restsUntil`. */
  readonly restsUntil?: RestsUntil | undefined;
};

/**
 * Until when this host leaves a mail host alone from one of its addresses, because another host will ask in its place.
 * @param from the egress address; null if the system chooses
 * @param host the MX host's name
 * @returns the clock's milliseconds; a time in the past: it need not
 */
export type RestsUntil = (from: string | null, host: string) => number;
