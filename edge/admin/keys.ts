import { and, asc, eq, ne } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { KeyEntry } from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import { people } from '../../schema/people-tables.ts';
import { accounts, apiKeys } from '../../schema/tables.ts';
import { hashKey } from '../access/key.ts';
import { mintKey } from '../access/mint.ts';
import { copyKey, dropDeadKeys, withLastUse } from '../ledger/keys-elsewhere.ts';
import { dayText, timeText } from '../base/time-text.ts';
import { type Done, done, type Services } from './operation.ts';

type KeyRow = typeof apiKeys.$inferSelect;
const HINT_LENGTH = 4;

/** The keys that people know of, with who made them: not those that their pages carry for a quarter of an hour. */
export function ownKeys(db: D1Database, accountId: string) {
  return drizzle(db)
    .select({ key: apiKeys, madeBy: people.email })
    .from(apiKeys)
    .leftJoin(people, eq(people.id, apiKeys.madeBy))
    .where(and(eq(apiKeys.accountId, accountId), ne(apiKeys.kind, 'page')))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id));
}

type Named = { readonly key: KeyRow; readonly madeBy: string | null };

/** The same keys with the day of their last use, which the account's database knows. */
export async function withDays(
  db: D1Database,
  home: D1Database,
  accountId: string,
  rows: readonly Named[],
): Promise<readonly Named[]> {
  const keys = rows.map(({ key }) => key);
  const days = new Map((await withLastUse(db, home, accountId, keys)).map(({ id, lastUsedDay }) => [id, lastUsedDay]));
  return rows.map(({ key, madeBy }) => ({ key: { ...key, lastUsedDay: days.get(key.id) ?? 0 }, madeBy }));
}

export function keyEntry(row: KeyRow, madeBy: string | null): KeyEntry {
  return {
    id: row.id,
    accountId: row.accountId,
    label: row.label,
    hint: row.hint,
    createdAt: timeText(row.createdAt),
    lastUsed: row.lastUsedDay === 0 ? null : dayText(row.lastUsedDay),
    madeBy,
  };
}

/**
 * Makes a key under an id that the operator chose. The key is in this answer and nowhere else, so that a repeated call
 * can only say that it came too late; no second key comes of it.
 */
export async function createKey(
  { directory, config, nowMs }: Services,
  params: { readonly key: string },
  body: { readonly accountId: string; readonly label: string },
): Promise<Done> {
  const { db, all } = directory;
  const orm = drizzle(db);
  const [account] = await orm
    .select({ id: accounts.id, elsewhere: accounts.elsewhere })
    .from(accounts)
    .where(eq(accounts.id, body.accountId));
  if (account === undefined) throw new RequestError('NOT_FOUND', `No account ${body.accountId}.`);
  const number = account.elsewhere ?? 0;
  const key = await mintKey(config, { accountId: account.id, database: number });
  const row: KeyRow = {
    hash: await hashKey(key),
    id: params.key,
    accountId: account.id,
    label: body.label,
    hint: key.slice(-HINT_LENGTH),
    createdAt: nowMs,
    lastUsedDay: 0,
    kind: 'live',
    expiresAt: 0,
    sessionId: null,
    madeBy: null,
  };
  const inserted = await orm.insert(apiKeys).values(row).onConflictDoNothing().returning({ id: apiKeys.id });
  if (inserted.length === 0)
    throw new RequestError('CONFLICT', `${params.key} exists and is shown only once: delete it and create another.`);
  await copyKey(db, all[number] ?? db, row.hash);
  return done({ ...keyEntry(row, null), key }, 201);
}

export async function listKeys({ directory }: Services, params: { readonly account: string }): Promise<Done> {
  const { db, all } = directory;
  const orm = drizzle(db);
  const [found, named] = await orm.batch([
    orm.select({ elsewhere: accounts.elsewhere }).from(accounts).where(eq(accounts.id, params.account)),
    ownKeys(db, params.account),
  ]);
  const [account] = found;
  if (account === undefined) throw new RequestError('NOT_FOUND', `No account ${params.account}.`);
  const rows = await withDays(db, all[account.elsewhere ?? 0] ?? db, params.account, named);
  return done({ keys: rows.map(({ key, madeBy }) => keyEntry(key, madeBy)) });
}

/** Works from the next request on: every request proves its key in D1. */
export async function deleteKey({ directory }: Services, params: { readonly key: string }): Promise<Done> {
  const rows = await drizzle(directory.db)
    .delete(apiKeys)
    .where(eq(apiKeys.id, params.key))
    .returning({ accountId: apiKeys.accountId });
  await dropDeadKeys(
    directory,
    rows.map(({ accountId }) => accountId),
  );
  if (rows.length === 0)
    throw new RequestError('NOT_FOUND', `No key ${params.key}: it has been deleted, or never existed.`);
  return done({ id: params.key, deleted: true });
}
