import type { Call } from '../base/call.ts';
import { databaseName, homeAt, type Home } from '../base/databases.ts';
import { within } from '../base/within.ts';
import type { Bearer } from './known-keys.ts';

/** How long a caller waits for the database of its key if there are several. */
const D1_TIMEOUT_MS = 1_500;

/** The database of a key's account, named by the key itself. */
export function homeOf(call: Call, { database }: Bearer): Home {
  return homeAt(call, database);
}

/**
 * Asks the database that has the key's account.
 * @throws what D1 throws, and Error if one of several databases does not answer in time
 */
export function askHome<T>(call: Call, bearer: Bearer, ask: (home: Home) => Promise<T>): Promise<T> {
  const home = homeOf(call, bearer);
  if (home.all.length === 1) return ask(home);
  return within(D1_TIMEOUT_MS, ask(home), `D1 DB ${databaseName(bearer.database)}`);
}
