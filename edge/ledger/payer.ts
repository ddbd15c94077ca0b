import { NOW_MS } from './clock.ts';

// SQL: the key `k` of a call and its account `a`, for the statements that ask what the account may spend.

/**
 * The key of the hash bound as that parameter stands. The plus changes nothing but this: of a join whose column is
 * compared with a bare parameter SQLite makes a new plan each time that a value is bound.
 */
export const stands = (hash: string): string =>
  `k.hash = +${hash} AND (k.expires_at = 0 OR k.expires_at > ${NOW_MS}) AND a.elsewhere IS NULL`;

/** By which name the use of the key is counted: a page's key has no name that anybody knows. */
export const KEY_ID = `iif(k.kind = 'page', 'page', k.id)`;

/** The class of the account. */
export const CLASS = `iif(a.has_bought = 1, 'bought', 'free')`;

/** What may be spent. */
export const SPENDABLE = `iif(a.expires_at > ${NOW_MS}, a.balance, 0)`;

/** Addresses under way: of open holds, and of requests that cost nothing. An index has them alone, and all that is asked for. */
export const IN_FLIGHT = `((
  SELECT coalesce(sum(o.addresses), 0) FROM holds o WHERE o.account_id = a.id AND o.closed_by IS NULL) + (
  SELECT coalesce(sum(f.free_addresses), 0) FROM idempotency_keys f
   WHERE f.account_id = a.id AND f.free_addresses > 0 AND f.free_until > ${NOW_MS}))`;

/** What might be spent if each open batch of the account came back whole. */
export const ATTAINABLE = `iif(a.expires_at > ${NOW_MS}, a.balance + (
  SELECT coalesce(sum(o.credits), 0) FROM holds o WHERE o.account_id = a.id AND o.closed_by IS NULL), 0)`;

/** How many addresses may be under way, by its class; 0: any. Bound: ?6 as `[bought, free]`. */
const MOST = `iif(a.has_bought = 1, ?6 ->> 0, ?6 ->> 1)`;

/** Whether ?5 addresses more may be under way. */
export const HAS_ROOM = `(${MOST} = 0 OR ?5 + ${IN_FLIGHT} <= ${MOST})`;
