import type { Account } from '../ports/ports.ts';
import type { Lane } from '../ports/lane.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import type { Family } from '../targets/routable.ts';
import type { Permit } from './permit.ts';

/** A request to connect. */
export type ConnectionRequest = {
  readonly account: Account;
  /** The domain that is asked about. */
  readonly domain: string;
  /** Whose mail host it is; null if it is no listed provider's. */
  readonly provider: ProviderLimits | null;
  readonly ip: string;
  readonly family: Family;
  /** The mail host is the operator's own: unknown recipients have no limit there, unless it plays a listed provider. */
  readonly isOwn?: true | undefined;
  /** A session of the account stands there, and may serve the domain before one could begin. */
  readonly mayRide?: boolean | undefined;
  /** When waiting is no longer worth it, in the clock's milliseconds. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** The lane of its domain, given back while it waits; absent: it has none of its own. */
  readonly lane?: Lane | undefined;
};

export type LimitDecision =
  | { readonly kind: 'go'; readonly permit: Permit }
  /**
   * From every egress address the server rests, has had enough unknown recipients, or bears so few starts that this one would
   * come too late.
   */
  | { readonly kind: 'cooling'; readonly waitS: number }
  /** The signal fired while waiting. */
  | { readonly kind: 'ended' }
  /** No egress address is of the family. */
  | { readonly kind: 'no_egress' };
