import { isCount, isRecord } from '../wire/read-line.ts';

// What a journal keeps of requests, so that an interrupted one is repeated under its key with the same body: the service
// charges each of its entries once, and its next response says what it cost.

/** A request whose cost is not known yet. */
export type JournalRequest = {
  /** Its `Idempotency-Key`. */
  readonly key: string;
  /** When it was sent first, in milliseconds since 1970. */
  readonly atMs: number;
  /** What it holds, in its order. */
  readonly entries: readonly RequestEntry[];
};

/** `asked`: how many times it had been answered before the request. */
type RequestEntry = { readonly index: number; readonly email: string; readonly asked: number };

/** Credits: charged and returned by the service's bills, and at most this many besides without a bill. */
export type Cost = { readonly charged: number; readonly returned: number; readonly unconfirmed: number };
export const NO_COST: Cost = { charged: 0, returned: 0, unconfirmed: 0 };

/** What earlier runs have left: requests of unknown cost, and the cost of all others. */
export type Requests = { readonly open: readonly JournalRequest[]; readonly spent: Cost };

export function addCosts(one: Cost, other: Cost): Cost {
  return {
    charged: one.charged + other.charged,
    returned: one.returned + other.returned,
    unconfirmed: one.unconfirmed + other.unconfirmed,
  };
}

/** A request from a journal, checked; null for anything else. */
export function readRequest(kept: unknown): JournalRequest | null {
  if (!isRecord(kept)) return null;
  const { key, atMs, entries } = kept;
  if (typeof key !== 'string' || !isCount(atMs) || !Array.isArray(entries)) return null;
  const proven = entries.map(readEntry).filter((entry) => entry !== null);
  return proven.length === entries.length && proven.length > 0 ? { key, atMs, entries: proven } : null;
}

function readEntry(kept: unknown): RequestEntry | null {
  if (!isRecord(kept)) return null;
  const { index, email, asked } = kept;
  return isCount(index) && typeof email === 'string' && isCount(asked) ? { index, email, asked } : null;
}

/** A cost from a journal, checked; null for anything else. */
export function readCost(kept: unknown): Cost | null {
  if (!isRecord(kept)) return null;
  const { charged, returned, unconfirmed } = kept;
  return isCount(charged) && isCount(returned) && isCount(unconfirmed) ? { charged, returned, unconfirmed } : null;
}
