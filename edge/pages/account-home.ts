import type { Call } from '../base/call.ts';
import { directoryOf, homeAt, type Home } from '../base/databases.ts';
import { homeOfAccount } from '../ledger/home-of.ts';
import { emptiest, openThere } from '../ledger/open-account.ts';
import { endKeysOfSession } from '../people/keys.ts';
import { endSession, readSession, type Session } from '../people/sessions.ts';

/** The database of a session's account, named by the session itself. */
export function homeOfSession(call: Call, { database }: Session): Home {
  return homeAt(call, database);
}

/** The session of a token; null if there is none. A new account that is not in its database yet is opened there. */
export async function sessionBy(call: Call, token: string): Promise<Session | null> {
  const directory = directoryOf(call);
  const session = await readSession(directory.db, token, () => emptiest(directory));
  if (session?.isUnopened === true) await openThere(directory, session.account.id, call.startedMs);
  return session;
}

/** Ends a session of the signed-in person, and its page keys. @returns false if they have none with this id */
export async function endOneOf(call: Call, { person }: Session, id: string): Promise<boolean> {
  const directory = directoryOf(call);
  const accountId = await endSession(directory.db, person.id, id);
  if (accountId === null) return false;
  await endKeysOfSession((await homeOfAccount(directory, accountId)).db, id);
  return true;
}
