import { NOW_MS } from './clock.ts';

// SQL: the key `k` of a call and its account `a`, for statements that ask what the account may spend.

/**
 * Matches the key whose hash is bound as that parameter. The plus only prevents replanning: SQLite makes a new plan,
 * each time a value is bound, for a join whose column is compared with a bare parameter.
 */
export const keyIsValid = (hash: string): string =>
  `k.hash = +${hash} AND (k.expires_at = 0 OR k.expires_at > ${NOW_MS})`;

/** The name under which the use of a key is counted: the id of a page's key is not shown anywhere. */
export const KEY_ID = `iif(k.kind = 'page', 'page', k.id)`;

/** The class of the account. */
export const CLASS = `iif(a.has_bought = 1, 'bought', 'free')`;

/** What may be spent. */
export const SPENDABLE = `iif(a.expires_at > ${NOW_MS}, a.balance, 0)`;

/** Addresses in flight: of open holds, and of requests that cost nothing. A covering index holds just these. */
export const IN_FLIGHT = `((
  SELECT coalesce(sum(o.addresses), 0) FROM holds o WHERE o.account_id = a.id AND o.closed_by IS NULL) + (
  SELECT coalesce(sum(f.free_addresses), 0) FROM idempotency_keys f
   WHERE f.account_id = a.id AND f.free_addresses > 0 AND f.free_until > ${NOW_MS}))`;

/** What could be spent if each open batch of the account were refunded in full. */
export const ATTAINABLE = `iif(a.expires_at > ${NOW_MS}, a.balance + (
  SELECT coalesce(sum(o.credits), 0) FROM holds o WHERE o.account_id = a.id AND o.closed_by IS NULL), 0)`;

/** Whether more addresses may be in flight. @param limits by class, as JSON `[bought, free]`; 0: any number */
export const hasRoom = (addresses: string, limits: string): string => {
  const most = `iif(a.has_bought = 1, ${limits} ->> 0, ${limits} ->> 1)`;
  return `(${most} = 0 OR ${addresses} + ${IN_FLIGHT} <= ${most})`;
};
