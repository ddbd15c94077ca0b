import type { Home } from '../base/databases.ts';

// An account is live in one database, and the directory says in which. Once one of them was taken back to an earlier moment,
// an account that was moved since may be live in two: which one is right only an operator can say.

const ACCOUNTS_PER_CHUNK = 2_000;
const CHUNKS = 10;

const LIVE = 'SELECT id FROM accounts WHERE id > ?1 AND elsewhere IS NULL ORDER BY id LIMIT ?2';
const ELSEWHERE = `
  SELECT id, coalesce(elsewhere, 0) AS number FROM accounts
   WHERE id IN (SELECT value FROM json_each(?1)) AND coalesce(elsewhere, 0) <> ?2`;
const IS_LIVE = 'SELECT 1 AS found FROM accounts WHERE id = ?1 AND elsewhere IS NULL';

/** `other`: the number of the second database, by the directory's word. */
export type LiveTwice = { readonly accountId: string; readonly other: number };

/** One turn of the cron: the accounts of one database, some of them a turn, that are live in another one too. */
export async function liveTwice({ db, all }: Home, number: number): Promise<readonly LiveTwice[]> {
  const there = all[number];
  const twice: LiveTwice[] = [];
  if (number === 0 || there === undefined) return twice;
  let after = '';
  for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
    const live = (await there.prepare(LIVE).bind(after, ACCOUNTS_PER_CHUNK).all<{ readonly id: string }>()).results;
    const ids = JSON.stringify(live.map(({ id }) => id));
    const found = await db.prepare(ELSEWHERE).bind(ids, number).all<{ readonly id: string; readonly number: number }>();
    for (const { id, number: other } of found.results)
      // One that is on its way is live in one of them.
      if ((await all[other]?.prepare(IS_LIVE).bind(id).first('found')) === 1) twice.push({ accountId: id, other });
    after = live.at(-1)?.id ?? '';
    if (live.length < ACCOUNTS_PER_CHUNK) break;
  }
  return twice;
}
