import type { CallRing } from '../../schema/words/stored.ts';
import { TODAY } from '../ledger/clock.ts';

// An account's latest calls that held no credits. A ring is one row, so that a write costs one row however many calls it
// brings. The others are in their holds.

/** Of an account, by the name of its limiter. */
export type RingName = { readonly account: string; readonly ring: CallRing };

/** A call as it is stored: never what it was about. */
export type RingCall = {
  /** When it arrived. */
  readonly at: number;
  readonly id: string;
  /** The last four characters of its key, or `page`. */
  readonly hint: string;
  readonly status: number;
  readonly code: string | null;
  /** Null: it was refused before they were counted. */
  readonly entries: number | null;
  readonly ms: number;
  /** How many like it this stands for; `at`, `id` and `ms` are the latest's. */
  readonly times: number;
};

const SLOTS = 200;
/** Days that are kept, today included. */
const KEPT_DAYS = 7;
const ROWS_PER_TURN = 500;

const COLUMNS = ['at', 'id', 'hint', 'status', 'code', 'entries', 'ms', 'times'] as const;
const column = (name: (typeof COLUMNS)[number]): string => `c ->> ${COLUMNS.indexOf(name)}`;
const isKept = (call: string): string => `(${call} ->> 0) / 86400000 > ${TODAY} - ${KEPT_DAYS}`;

/** Those of one key and minute that were too many are one. Bound: ?1 account, ?2 ring, ?3 the new calls. */
const KEEP = `
  WITH known AS (
         SELECT value AS c FROM json_each(?3)
          UNION ALL
         SELECT j.value FROM call_rings r, json_each(r.calls) j WHERE r.account = ?1 AND r.ring = ?2 AND ${isKept('j.value')}),
       latest AS (
         SELECT max(${column('at')}) AS at, ${column('id')} AS id, ${column('hint')} AS hint, ${column('status')} AS status,
                ${column('code')} AS code, ${column('entries')} AS entries, ${column('ms')} AS ms, sum(${column('times')}) AS times
           FROM known
          GROUP BY iif(${column('status')} = 429, (${column('hint')}) || (${column('code')}) || ((${column('at')}) / 60000), ${column('id')})
          ORDER BY at DESC LIMIT ${SLOTS})
  INSERT INTO call_rings (account, ring, since, calls)
  SELECT ?1, ?2, min(at) / 86400000, json_group_array(json_array(${COLUMNS.join(', ')})) FROM latest WHERE true
      ON CONFLICT (account, ring) DO UPDATE SET since = excluded.since, calls = excluded.calls`;

const READ = `
  SELECT r.ring, ${COLUMNS.map((name) => `${column(name)} AS ${name}`).join(', ')}
    FROM (SELECT ring, j.value AS c FROM call_rings, json_each(calls) j WHERE account = ?1 AND ${isKept('j.value')}) r`;

const TRIM = `
  UPDATE call_rings
     SET since = coalesce((SELECT min(j.value ->> 0) / 86400000 FROM json_each(calls) j WHERE ${isKept('j.value')}), 0),
         calls = (SELECT json_group_array(json(j.value)) FROM json_each(calls) j WHERE ${isKept('j.value')})
   WHERE (account, ring) IN (
     SELECT account, ring FROM call_rings WHERE since <= ${TODAY} - ${KEPT_DAYS} LIMIT ${ROWS_PER_TURN})`;
/** SQL: drops calls older than a week, of a limited number of rings per turn. */
export const DROP_OLD_CALLS = [TRIM, 'DELETE FROM call_rings WHERE since = 0'];

/** The statement that adds calls to a ring, in place of its oldest. */
export function keepCalls(
  db: D1Database,
  { account, ring }: RingName,
  calls: readonly RingCall[],
): D1PreparedStatement {
  const rows = calls.map((call) => COLUMNS.map((name) => call[name]));
  return db.prepare(KEEP).bind(account, ring, JSON.stringify(rows));
}

export async function readRings(
  db: D1Database,
  account: string,
): Promise<ReadonlyArray<RingCall & { readonly ring: CallRing }>> {
  return (await db.prepare(READ).bind(account).all<RingCall & { readonly ring: CallRing }>()).results;
}
