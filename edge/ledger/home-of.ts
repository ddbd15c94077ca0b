import { databaseWith, type Home } from '../base/databases.ts';
import { grant, type Granted, type Purchase } from './grant.ts';

// Finds the database of an account known by its id: the directory has it. Calls with an API key do not need it.

const DATABASE = 'SELECT database FROM accounts WHERE id = ?1';

/**
 * The database of an account; with a single database there is nothing to look up.
 * @param directory the home of everything that belongs to no account
 */
export async function homeOfAccount(directory: Home, accountId: string): Promise<Home> {
  if (directory.all.length === 1) return directory;
  const number = (await directory.db.prepare(DATABASE).bind(accountId).first<number | null>('database')) ?? 0;
  return { db: databaseWith(directory, number), all: directory.all };
}

const BUYS = 'UPDATE accounts SET has_bought = 1 WHERE id = ?1 AND has_bought = 0';

/**
 * Books a purchase in the account's database, and records in the directory that the account has bought.
 * @param beside what belongs in the booking transaction; it follows that if the account is not in the directory's
 * database
 */
export async function buy(
  directory: Home,
  purchase: Purchase,
  beside: (isRemote: boolean) => readonly D1PreparedStatement[] = () => [],
): Promise<Granted> {
  const { db } = await homeOfAccount(directory, purchase.accountId);
  if (db === directory.db) return grant(db, purchase, beside(false));
  const granted = await grant(db, purchase);
  if (granted.kind === 'granted' || granted.kind === 'repeated')
    await directory.db.batch([directory.db.prepare(BUYS).bind(purchase.accountId), ...beside(true)]);
  return granted;
}
