import type { CallEntry } from '../../schema/pages-api.ts';
import type { ErrorCode } from '../../schema/words/error-codes.ts';
import { idIsOfForm } from '../base/call.ts';
import { NOW_MS } from '../ledger/clock.ts';
import { readRings } from './ring.ts';

// The log of an account's calls: those that held credits, from their holds, and the others from its rings.

export type LoggedCall = Omit<CallEntry, 'at' | 'requestId' | 'key'> & {
  readonly at: number;
  readonly id: string;
  /** Of a call that held credits: its key's id, or `page`. Of another call `hint` says either. */
  readonly keyId: string | null;
};

/** Of the account's servers and pages; and as many that strangers cause, who so push out none of the others. */
const CALLS_MAX = 1_000;
const KEPT_MS = 7 * 86_400_000;
/** Entries of an index, newest first, so that a read is bounded however many checks a form had. */
const ENTRIES_READ_MAX = 100_000;

/** The ledger's index says of each hold whose it is. */
const latest = (isWanted: string): string => `
  SELECT ref_id FROM (
    SELECT ref_id, kind FROM ledger WHERE account_id = ?1 AND at > ${NOW_MS} - ${KEPT_MS}
     ORDER BY at DESC LIMIT ${ENTRIES_READ_MAX})
   WHERE kind = 'hold' AND ${isWanted} LIMIT ${CALLS_MAX}`;

/** SQL: the holds of an account (?1) that its log shows. */
export const LATEST_HELD = `
  SELECT ref_id FROM (${latest(`NOT ${idIsOfForm('ref_id')}`)}) UNION ALL SELECT ref_id FROM (${latest(idIsOfForm('ref_id'))})`;

const HELD = `
  SELECT h.id, h.opened_at AS at, h.key_id AS keyId, ${idIsOfForm('h.id')} AS ofForm, h.status, h.entries, h.credits, h.returned, h.ms
    FROM (${LATEST_HELD}) l CROSS JOIN holds h ON h.id = l.ref_id`;

type Held = Pick<LoggedCall, 'at' | 'id' | 'keyId' | 'status' | 'entries' | 'ms'> & {
  readonly ofForm: number;
  readonly credits: number;
  readonly returned: number | null;
};

/** How a call whose credits were held can be refused. */
const CODES: ReadonlyMap<number | null, ErrorCode> = new Map([
  [429, 'RATE_LIMITED'],
  [500, 'INTERNAL_ERROR'],
]);

/** The latest calls of an account, newest first. @param limiter the name of the account's limiter */
export async function readCalls(
  db: D1Database,
  { accountId, limiter }: { readonly accountId: string; readonly limiter: string },
): Promise<readonly LoggedCall[]> {
  const [held, rings] = await Promise.all([db.prepare(HELD).bind(accountId).all<Held>(), readRings(db, limiter)]);
  const own: LoggedCall[] = [];
  const strangers: LoggedCall[] = [];
  for (const { ofForm, credits, returned, ...call } of held.results)
    (ofForm === 1 ? strangers : own).push({
      ...call,
      hint: null,
      code: CODES.get(call.status) ?? null,
      charged: returned === null ? null : credits - returned,
      returned,
      times: 1,
    });
  // A hold whose answer was lost is in both.
  const known = new Set(held.results.map(({ id }) => id));
  for (const { ring, ...call } of rings.filter(({ id }) => !known.has(id)))
    (ring === 'own' ? own : strangers).push({ ...call, keyId: null, charged: 0, returned: 0 });
  return [own, strangers].flatMap((calls) => calls.toSorted(byTime).slice(0, CALLS_MAX)).toSorted(byTime);
}

function byTime(a: LoggedCall, b: LoggedCall): number {
  return b.at - a.at || (a.id < b.id ? 1 : -1);
}
