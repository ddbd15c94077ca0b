// Words that stand in rows of D1 and in answers of the operator's API. Apart from tables.ts, so that the command line,
// which reads those answers, does not load drizzle.

export const HOST_STATES = ['active', 'draining', 'removed'] as const;
export type HostState = (typeof HOST_STATES)[number];

export const LEDGER_KINDS = ['purchase', 'correction', 'expiry', 'hold', 'return'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];
