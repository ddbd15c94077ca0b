// Words that stand in rows of D1 and in answers of the operators' and the pages' API. Apart from tables.ts, so that the
// command line and the browser, which read those answers, do not load drizzle.

export const HOST_STATES = ['active', 'draining', 'removed'] as const;
export type HostState = (typeof HOST_STATES)[number];

export const LEDGER_KINDS = ['purchase', 'correction', 'expiry', 'hold', 'return'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** What rows of the ledger are shown as: welcome credits stand there as a purchase that nobody made. */
export const SHOWN_KINDS = [...LEDGER_KINDS, 'gift'] as const;

export const ROLES = ['owner', 'member'] as const;
export type Role = (typeof ROLES)[number];

/**
 * A test key is answered from the sandbox's table; a page's key is short-lived and belongs to a session. The keys of forms are
 * public, and open POST /api/v1/form alone; `formtest` is the test key among them.
 */
export const KEY_KINDS = ['live', 'test', 'page', 'form', 'formtest'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export const ORDER_STATES = ['open', 'paid', 'expired'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** What became of a payment that its payer's bank wants back. */
export const DISPUTE_STATES = ['open', 'won', 'lost'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

/** What orders are listed by: how they stand, or what became of their payment. */
export const ORDER_FILTERS = [...ORDER_STATES, 'refunded', 'disputed'] as const;

/**
 * Where an account's calls without credits are kept: one ring cannot push out the calls of another. `strangers` has those
 * of keys that were deleted or do not fit, which anybody may have found.
 */
export const CALL_RINGS = ['own', 'form', 'strangers'] as const;
export type CallRing = (typeof CALL_RINGS)[number];
