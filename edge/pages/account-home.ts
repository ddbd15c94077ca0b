import type { Call } from '../base/call.ts';
import { homeAt, type Home } from '../base/databases.ts';
import { homeOfAccount } from '../ledger/home-of.ts';
import { emptiest, openThere } from '../ledger/open-account.ts';
import { endKeysOfSession } from '../people/keys.ts';
import { endSession, readSession, type Session } from '../people/sessions.ts';

/** Where the account of a session is: the session says so, without a trip. */
export function homeOfSession(call: Call, { database }: Session): Home {
  return homeAt(call, database);
}

/** Whose session a token is; null for none. A new account that is not in its database yet is opened there. */
export async function sessionBy(call: Call, token: string): Promise<Session | null> {
  const directory = homeAt(call, 0);
  const session = await readSession(directory.db, token, () => emptiest(directory));
  if (session?.isUnopened === true) await openThere(directory, session.account.id, call.startedMs);
  return session;
}

/** Ends a session of the person who is signed in, and its pages' keys. @returns false if they have none of this id */
export async function endOneOf(call: Call, { person }: Session, id: string): Promise<boolean> {
  const directory = homeAt(call, 0);
  const accountId = await endSession(directory.db, person.id, id);
  if (accountId === null) return false;
  await endKeysOfSession((await homeOfAccount(directory, accountId)).db, id);
  return true;
}
