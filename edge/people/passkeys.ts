import { randomBase62 } from '../access/mint.ts';
import { NOW_MS } from '../ledger/clock.ts';
import { ownAccount } from './own-account.ts';
import { type NewSession, openSession } from './sessions.ts';
import { hashToken, newAccountId } from './token.ts';

// Passkeys (WebAuthn credentials) and the challenges that they sign, as stored in D1. A challenge is valid once: the
// request that checks it deletes it.

const CHALLENGE_MS = 5 * 60_000;
/** A multiple of 4: as base64url, which browsers take it for, it has no bits left over and survives a round trip. */
const CHALLENGE_LENGTH = 44;
/** Per person. */
const PASSKEYS_MAX = 20;

export type Passkey = {
  readonly id: string;
  readonly label: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
};

/** The public key, and what its signatures are checked against. */
export type Credential = {
  readonly id: string;
  readonly email: string;
  readonly publicKey: string;
  readonly algorithm: 'ES256' | 'RS256';
  readonly counter: number;
};

const MAKE_CHALLENGE = `INSERT INTO challenges (hash, person_id, expires_at) VALUES (?1, ?2, ${NOW_MS} + ${CHALLENGE_MS})`;
const USE_CHALLENGE = `
  DELETE FROM challenges WHERE hash = ?1 AND person_id IS ?2 AND expires_at > ${NOW_MS} RETURNING hash`;
export const DROP_OLD_CHALLENGES = `DELETE FROM challenges WHERE expires_at < ${NOW_MS}`;

const FIELDS = 'id, label, created_at AS createdAt, last_used_at AS lastUsedAt';
const LIST = `SELECT ${FIELDS} FROM passkeys WHERE person_id = ?1 ORDER BY created_at, id`;
const ADD = `
  INSERT INTO passkeys (id, person_id, label, public_key, algorithm, transports, counter, created_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ${NOW_MS}
   WHERE (SELECT count(*) FROM passkeys WHERE person_id = ?2) < ${PASSKEYS_MAX}
      ON CONFLICT (id) DO NOTHING
  RETURNING ${FIELDS}`;
const REMOVE = 'DELETE FROM passkeys WHERE id = ?1 AND person_id = ?2 RETURNING id';
const FIND = `
  SELECT k.id, p.email, k.public_key AS publicKey, k.algorithm, k.counter
    FROM passkeys k JOIN people p ON p.id = k.person_id WHERE k.id = ?1`;

/** A counter that did not grow means that the authenticator was copied; 0 means that it keeps none. */
const MARK_USED = `
  UPDATE passkeys SET counter = ?2, last_used_at = ${NOW_MS}
   WHERE id = ?1 AND (counter = 0 AND ?2 = 0 OR counter < ?2) RETURNING id`;

/** @param personId the person adding a passkey; null for signing in with one */
export async function newChallenge(db: D1Database, personId: string | null): Promise<string> {
  const challenge = randomBase62(CHALLENGE_LENGTH);
  await db
    .prepare(MAKE_CHALLENGE)
    .bind(await hashToken(challenge), personId)
    .run();
  return challenge;
}

/** Uses up a challenge. @returns whether it was one for this person */
export async function useChallenge(db: D1Database, challenge: string, personId: string | null): Promise<boolean> {
  const used = await db
    .prepare(USE_CHALLENGE)
    .bind(await hashToken(challenge), personId)
    .first();
  return used !== null;
}

export async function listPasskeys(db: D1Database, personId: string): Promise<readonly Passkey[]> {
  return (await db.prepare(LIST).bind(personId).all<Passkey>()).results;
}

/** @returns null if this credential is already registered, or the person has enough */
export async function addPasskey(
  db: D1Database,
  personId: string,
  label: string,
  credential: Omit<Credential, 'email'> & { readonly transports: readonly string[] },
): Promise<Passkey | null> {
  const { id, publicKey, algorithm, transports, counter } = credential;
  return db
    .prepare(ADD)
    .bind(id, personId, label, publicKey, algorithm, JSON.stringify(transports), counter)
    .first<Passkey>();
}

/** @returns false if the person has none with this id */
export async function removePasskey(db: D1Database, personId: string, id: string): Promise<boolean> {
  return (await db.prepare(REMOVE).bind(id, personId).first()) !== null;
}

export async function findPasskey(db: D1Database, id: string): Promise<Credential | null> {
  return db.prepare(FIND).bind(id).first<Credential>();
}

/**
 * Signs in the person who used this passkey.
 * @param counter the authenticator's current counter
 * @param database the number of the one that a new account gets
 * @returns null if the counter did not grow
 */
export async function signInByPasskey(
  db: D1Database,
  { id, email }: Credential,
  counter: number,
  device: string,
  database = 0,
): Promise<NewSession | null> {
  const used = await db.prepare(MARK_USED).bind(id, counter).first();
  if (used === null) return null;
  const { session, insert } = await openSession(db, { openedBy: 'passkey', device });
  await db.batch([...ownAccount(db, newAccountId(), email, database), insert.intoFirstAccount(email)]);
  return session;
}
