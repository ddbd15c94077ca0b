import type { Call } from '../base/call.ts';
import { databaseName, databasesOf, drawnFor, homeAt, type Home } from '../base/databases.ts';
import { pause } from '../base/pause.ts';
import { within } from '../base/within.ts';
import { NOW_MS } from '../ledger/clock.ts';
import { copyKey } from '../ledger/keys-elsewhere.ts';
import { endFreeze } from '../ledger/unfinished-move.ts';
import { type Bearer, homeOf, noteHome } from './known-keys.ts';

// In which database the account of a key is. A key is drawn for it, so that its hash says so. A key from before that, and
// one of an account that was moved, is not found there: then the directory knows, and the isolate remembers it.

const FIND = `
  SELECT coalesce(a.elsewhere, 0) AS number, a.id AS accountId FROM api_keys k JOIN accounts a ON a.id = k.account_id
   WHERE k.hash = ?1 AND (k.expires_at = 0 OR k.expires_at > ${NOW_MS})`;

/** A caller waits this long for a database that others do not wait for. */
const PATIENCE_MS = 1_500;
/** An account that is being moved is nowhere for less than a second; one whose move was killed is where it was after it. */
const PAUSES_MS = [50, 100, 200, 400, 500] as const;

type Found = { readonly number: number; readonly accountId: string };

/** Where the key's account is, as far as can be said without asking anybody. */
export function likelyHome(call: Call, bearer: Bearer): Home {
  const all = databasesOf(call);
  const number = homeOf(bearer) ?? drawnFor(bearer.keyHash);
  return { db: all[number] ?? call.env.DB, all };
}

/**
 * Asks the database that has the key's account: one trip, and with one database never more.
 * @param isKnown whether an answer is that of a database that knows the key
 * @throws what D1 throws, and Error if the database does not answer in time or the account is being moved
 */
export async function askHome<T>(
  call: Call,
  bearer: Bearer,
  isKnown: (answer: T) => boolean,
  ask: (home: Home) => Promise<T>,
): Promise<T> {
  const likely = likelyHome(call, bearer);
  const { all } = likely;
  if (all.length === 1) return ask(likely);
  let number = all.indexOf(likely.db);
  for (const pauseMs of [...PAUSES_MS, null, 0]) {
    const [answered] = await Promise.allSettled([inTime(number, ask(homeAt(call, number)))]);
    if (answered.status === 'fulfilled' && isKnown(answered.value)) {
      noteHome(bearer, number);
      return answered.value;
    }
    // A database that fails is believed to have the key only if it did before, or the directory says so.
    if (answered.status === 'rejected' && (number === 0 || homeOf(bearer) !== null)) throw answered.reason;
    const found = await inTime(0, call.env.DB.prepare(FIND).bind(bearer.keyHash).first<Found>());
    if (answered.status === 'rejected' && found?.number === number) throw answered.reason;
    if (answered.status === 'fulfilled' && found === null) return answered.value;
    // A key whose way there was interrupted, or an account that is on its way.
    if (found?.number === number && number > 0) await copyKey(call.env.DB, homeAt(call, number).db, bearer.keyHash);
    if (found?.number === number && pauseMs !== null) await pause(pauseMs);
    number = found?.number ?? number;
    if (found !== null && pauseMs === null)
      number = await inTime(number, endFreeze({ db: call.env.DB, all }, found.accountId));
  }
  throw new Error('D1 is moving the account to another database');
}

async function inTime<T>(number: number, work: Promise<T>): Promise<T> {
  return within(PATIENCE_MS, work, `D1 DB ${databaseName(number)}`);
}
