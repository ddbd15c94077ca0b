import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { KeyEntry } from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import { accounts, apiKeys } from '../../schema/tables.ts';
import { dropDeadKeys } from '../ledger/keys-elsewhere.ts';
import { type Asked, createKey as insertKey, listKeys as keysOf, type OwnKey } from '../people/keys.ts';
import { dayText, timeText } from '../base/time-text.ts';
import { type Done, done, type Services } from './operation.ts';

export function keyEntry(key: OwnKey, accountId: string): KeyEntry {
  const { id, label, hint, createdAt, lastUsedDay, madeBy } = key;
  const lastUsed = lastUsedDay === 0 ? null : dayText(lastUsedDay);
  return { id, accountId, label, hint, createdAt: timeText(createdAt), lastUsed, madeBy };
}

/** @throws RequestError NOT_FOUND */
async function askedOf({ directory }: Services, accountId: string): Promise<Asked> {
  const { db, all } = directory;
  const [account] = await drizzle(db)
    .select({ elsewhere: accounts.elsewhere })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (account === undefined) throw new RequestError('NOT_FOUND', `No account ${accountId}.`);
  return { accountId, by: null, home: { db: all[account.elsewhere ?? 0] ?? db, all } };
}

/**
 * Makes a key under an id that the operator chose. The key is in this answer and nowhere else, so that a repeated call
 * can only say that it came too late; no second key comes of it.
 */
export async function createKey(
  services: Services,
  params: { readonly key: string },
  { accountId, label }: { readonly accountId: string; readonly label: string },
): Promise<Done> {
  const asked = await askedOf(services, accountId);
  const made = await insertKey(services.config, asked, { kind: 'live', label, id: params.key });
  if (made === null)
    throw new RequestError('CONFLICT', `${params.key} exists and is shown only once: delete it and create another.`);
  return done({ ...keyEntry(made, accountId), key: made.key }, 201);
}

export async function listKeys(services: Services, { account }: { readonly account: string }): Promise<Done> {
  const keys = await keysOf(await askedOf(services, account));
  return done({ keys: keys.toReversed().map((key) => keyEntry(key, account)) });
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
