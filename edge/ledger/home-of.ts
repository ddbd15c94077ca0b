import { databaseWith, type Home } from '../base/databases.ts';
import { pause } from '../base/pause.ts';
import { grant, type Granted, type Purchase } from './grant.ts';
import { readMoved } from './moved.ts';
import { endFreeze } from './unfinished-move.ts';

// Where an account is, for whoever knows it by its id: the directory says so. Calls by a key do not ask it.

/** An account that is being moved is nowhere for less than a second; one whose move was killed is where it was after it. */
const PAUSES_MS = [100, 300, 700, null, 0] as const;

/**
 * Asks the database that has the account; with one database there is nothing to find out.
 * @param directory the home of what is nobody's
 * @param isKnown whether an answer is that of a database that has the account
 * @returns the last answer, if none has it
 */
export async function askHomeOf<T>(
  directory: Home,
  accountId: string,
  isKnown: (answer: T) => boolean,
  ask: (home: Home, number: number) => Promise<T>,
): Promise<T> {
  if (directory.all.length === 1) return ask(directory, 0);
  for (const pauseMs of PAUSES_MS) {
    const number = (await readMoved(directory.db, [accountId])).get(accountId) ?? 0;
    const answer = await ask({ db: databaseWith(directory, number), all: directory.all }, number);
    if (isKnown(answer) || (number === 0 && !(await isBeingMoved(directory, accountId)))) return answer;
    await (pauseMs === null ? endFreeze(directory, accountId) : pause(pauseMs));
  }
  throw new Error('D1 is moving the account to another database');
}

async function isBeingMoved({ db }: Home, accountId: string): Promise<boolean> {
  return (await readMoved(db, [accountId])).has(accountId);
}

const BUYS = 'UPDATE accounts SET has_bought = 1 WHERE id = ?1 AND has_bought = 0';

/**
 * Books a purchase where the account is. The directory learns that it has bought.
 * @param beside what belongs into the transaction that books it, and is done behind it if the account is elsewhere; given whether it is
 */
export function buy(
  directory: Home,
  purchase: Purchase,
  beside: (isElsewhere: boolean) => readonly D1PreparedStatement[] = () => [],
): Promise<Granted> {
  return askHomeOf(
    directory,
    purchase.accountId,
    ({ kind }) => kind !== 'unknown_account',
    async ({ db }, number) => {
      if (number === 0) return grant(db, purchase, beside(false));
      const granted = await grant(db, purchase);
      if (granted.kind === 'granted' || granted.kind === 'repeated')
        await directory.db.batch([directory.db.prepare(BUYS).bind(purchase.accountId), ...beside(true)]);
      return granted;
    },
  );
}
