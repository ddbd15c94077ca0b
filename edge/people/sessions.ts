import type { Role } from '../../schema/words/stored.ts';
import { NOW_MS, TODAY } from '../ledger/clock.ts';
import { OPEN_LINK } from './links.ts';
import { ownAccount } from './own-account.ts';
import { hashToken, newAccountId, newId, newToken } from './token.ts';

// Who is signed in, in which browser, and with which of their accounts open. A session lasts 30 days from its start and
// always gets a new token: what a browser held before is worthless afterwards.

export const SESSION_MS = 30 * 86_400_000;

/** Lasting access can only be given by someone who has just signed in. */
const FRESH_MS = 10 * 60_000;

export type Session = {
  readonly id: string;
  /** Whether it was opened in the last ten minutes. */
  readonly isFresh: boolean;
  readonly person: { readonly id: string; readonly email: string };
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly role: Role;
    readonly lowBalanceAt: number | null;
  };
  /** The number of the account's database, and whether it is still to be opened there. */
  readonly database: number;
  readonly isUnopened: boolean;
};

export type NewSession = { readonly id: string; readonly token: string };

export type SessionRow = {
  readonly id: string;
  readonly createdAt: number;
  readonly lastUsedDay: number;
  readonly expiresAt: number;
  readonly openedBy: 'link' | 'passkey';
  readonly device: string;
};

const INSERT = `
  INSERT INTO sessions (hash, id, opened_by, device, person_id, account_id, created_at, last_used_day, expires_at)`;
const TIMES = `${NOW_MS}, ${TODAY}, ${NOW_MS} + ${SESSION_MS}`;
const FIRST_ACCOUNT = `(
  SELECT m.account_id FROM memberships m WHERE m.person_id = p.id ORDER BY m.joined_at, m.account_id LIMIT 1)`;
const INTO_FIRST = `${INSERT} SELECT ?1, ?2, ?3, ?4, p.id, ${FIRST_ACCOUNT}, ${TIMES} FROM people p WHERE p.email = ?5`;
/** The hash of the link comes first: see `OPEN_LINK`. */
const BY_LINK = `${INSERT}
  SELECT ?2, ?3, ?4, ?5, p.id, coalesce(i.account_id, ${FIRST_ACCOUNT}), ${TIMES}
    FROM people p, ${OPEN_LINK} AND p.email = l.email`;

const READ = `
  SELECT s.id, s.last_used_day < ${TODAY} AS isNewDay, s.created_at > ${NOW_MS} - ${FRESH_MS} AS isFresh, p.id AS personId, p.email, m.role,
         a.id AS accountId, a.name, a.low_balance_at AS lowBalanceAt,
         coalesce(a.database, 0) AS database, a.unopened IS NOT NULL AS isUnopened
    FROM sessions s JOIN people p ON p.id = s.person_id
    LEFT JOIN memberships m ON m.account_id = s.account_id AND m.person_id = s.person_id
    LEFT JOIN accounts a ON a.id = m.account_id
   WHERE s.hash = ?1 AND s.expires_at > ${NOW_MS}`;

const MARK = `UPDATE sessions SET last_used_day = ${TODAY} WHERE id = ?1`;

const TO_FIRST_ACCOUNT = `
  UPDATE sessions SET account_id = ${FIRST_ACCOUNT} FROM people p WHERE sessions.id = ?1 AND p.id = sessions.person_id`;

const TO_ACCOUNT = `
  UPDATE sessions SET account_id = ?2
   WHERE id = ?1 AND EXISTS (SELECT 1 FROM memberships m WHERE m.account_id = ?2 AND m.person_id = sessions.person_id)
  RETURNING id`;

const LIST = `
  SELECT id, created_at AS createdAt, last_used_day AS lastUsedDay, expires_at AS expiresAt, opened_by AS openedBy, device
    FROM sessions WHERE person_id = ?1 AND expires_at > ${NOW_MS} ORDER BY created_at DESC, id LIMIT 100`;

const END = 'DELETE FROM sessions WHERE id = ?1 AND person_id = ?2 RETURNING account_id AS accountId';

export const DROP_OLD_SESSIONS = `DELETE FROM sessions WHERE expires_at < ${NOW_MS}`;

type Row = {
  readonly id: string;
  readonly isNewDay: number;
  readonly isFresh: number;
  readonly personId: string;
  readonly email: string;
  readonly role: Role | null;
  readonly accountId: string | null;
  readonly name: string | null;
  readonly lowBalanceAt: number | null;
  readonly database: number;
  readonly isUnopened: number;
};

/** The statements that insert a new session. */
export type SessionInsert = {
  /** For the person with this address: opens the account that they joined first. */
  readonly intoFirstAccount: (email: string) => D1PreparedStatement;
  /** For whom a link is, if it is still good: opens the account that invited them, or the one they joined first. */
  readonly byLink: (hash: string) => D1PreparedStatement;
};

/** A new session, not yet stored: its statement belongs in the transaction that finds its person. */
export async function openSession(
  db: D1Database,
  { openedBy, device }: Pick<SessionRow, 'openedBy' | 'device'>,
): Promise<{ readonly session: NewSession; readonly insert: SessionInsert }> {
  const session = { id: newId('ses'), token: newToken() };
  const what = [await hashToken(session.token), session.id, openedBy, device];
  return {
    session,
    insert: {
      intoFirstAccount: (email) => db.prepare(INTO_FIRST).bind(...what, email),
      byLink: (hash) => db.prepare(BY_LINK).bind(hash, ...what),
    },
  };
}

/**
 * The session of a token; null if there is none, or it has ended. A person removed from the account that the session
 * had open now has another of their accounts open, or a new one of their own.
 * @param chooseDatabase the number of the one that a new account gets
 */
export async function readSession(
  db: D1Database,
  token: string,
  chooseDatabase: () => Promise<number> = () => Promise.resolve(0),
): Promise<Session | null> {
  const hash = await hashToken(token);
  const row = await db.prepare(READ).bind(hash).first<Row>();
  if (row === null) return null;
  if (row.isNewDay === 1) await db.prepare(MARK).bind(row.id).run();
  return sessionOf(row) ?? (await moveOn(db, hash, row, await chooseDatabase()));
}

async function moveOn(db: D1Database, hash: string, row: Row, database: number): Promise<Session | null> {
  const results = await db.batch<Row>([
    ...ownAccount(db, newAccountId(), row.email, database),
    db.prepare(TO_FIRST_ACCOUNT).bind(row.id),
    db.prepare(READ).bind(hash),
  ]);
  const [moved] = results.at(-1)?.results ?? [];
  return moved === undefined ? null : sessionOf(moved);
}

function sessionOf(row: Row): Session | null {
  const { id, isFresh, personId, email, role, accountId, name, lowBalanceAt, database, isUnopened } = row;
  if (role === null || accountId === null || name === null) return null;
  return {
    id,
    isFresh: isFresh === 1,
    person: { id: personId, email },
    account: { id: accountId, name, role, lowBalanceAt },
    database,
    isUnopened: isUnopened === 1,
  };
}

/** Switches a session to another account of its person. @returns false if it is none of theirs */
export async function lookAtAccount(db: D1Database, session: Session, accountId: string): Promise<boolean> {
  return (await db.prepare(TO_ACCOUNT).bind(session.id, accountId).first()) !== null;
}

/** The open sessions of a person, newest first. */
export async function listSessions(db: D1Database, personId: string): Promise<readonly SessionRow[]> {
  return (await db.prepare(LIST).bind(personId).all<SessionRow>()).results;
}

/** Ends a session of this person. @returns the account that it had open; null if they have none with this id */
export async function endSession(db: D1Database, personId: string, sessionId: string): Promise<string | null> {
  return db.prepare(END).bind(sessionId, personId).first<string>('accountId');
}
