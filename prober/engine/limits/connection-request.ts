import type { Account } from '../ports/ports.ts';
import type { Egress } from '../ports/settings.ts';
import type { Family } from '../targets/routable.ts';
import type { Complaint } from './complaint.ts';
import type { Row } from './refusal-streak.ts';

// Who comes to the pace for a connection, what he is given, and what he says when he leaves.

/** How a session went: the server `served` recipients of ours, complained of us, or neither. */
export type Leaving = 'served' | 'neutral' | Complaint;

/** How many recipients that a gateway does not know one account may name there in this hour. */
export type Allowance = {
  readonly left: () => number;
  /** A recipient is named, which the gateway may not know. */
  readonly take: () => void;
  /** It knew it. */
  readonly giveBack: () => void;
  /** Somebody is not asked about because nothing is left. @returns seconds until something is */
  readonly putOff: () => number;
};

/** A connection's place, until it is given back. */
export type Place = {
  readonly egress: Egress;
  /** The server has let us in: it greeted, and answered EHLO. */
  readonly letIn: () => void;
  /**
   * Nothing came of the connection. How many the server bears at once, if that may be because of others of ours, of whatever
   * batch: then it is evidence of nothing, and no more are let in from now on. Null: nobody else was there.
   * @param meant the server said another reason, or had all the time to see that who went just before is gone
   */
  readonly turnedAway: (meant: boolean) => Promise<number | null>;
  /** The row of refusals at the address, as it stands. */
  readonly row: () => Row;
  /** What the session brought for one domain, if it served several. `since`: the row when it was first asked about. */
  readonly note: (domain: string, how: Leaving, since: Row) => void;
  /** What may be named there that it does not know. */
  readonly allowance: Allowance;
  /** Whether the address rests by now, for everybody or for the visitor's account. */
  readonly resting: () => boolean;
  /** Whether somebody waits for a place such as this. */
  readonly awaited: () => boolean;
  /** Gives it back, with what the session brought for the visitor's domain. */
  readonly leave: (how: Leaving) => void;
};

export type Entry =
  | ({ readonly kind: 'go' } & Place)
  /** At every egress address the address rests past the deadline, or has been asked about too many that it does not know. */
  | { readonly kind: 'cooling'; readonly waitS: number }
  /** The signal fired while waiting. */
  | { readonly kind: 'ended' }
  /** No egress address is of the family. */
  | { readonly kind: 'no_egress' };

/** Who wants to connect, and where to. */
export type Visitor = {
  readonly account: Account;
  /** The domain that is asked about. */
  readonly domain: string;
  /** The MX host by the name whose addresses were looked up. */
  readonly host: string;
  readonly ip: string;
  readonly family: Family;
  /** The mail host is the operator's own: nobody there counts unknown recipients, unless it plays a listed provider. */
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
 * @returns the clock's milliseconds; a time that has passed: it need not
 */
export type RestsUntil = (from: string | null, host: string) => number;
