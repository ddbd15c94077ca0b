import type * as z from 'zod';
import type { KeyEntry, keyBodySchema } from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import { homeOfAccount } from '../ledger/home-of.ts';
import { type Asked, createKey as insertKey, type OwnKey } from '../people/keys.ts';
import { dayText, timeText } from '../base/time-text.ts';
import { type Done, done, noAccount, type OfKey, type Services } from './operation.ts';

export function keyEntry(key: OwnKey, accountId: string): KeyEntry {
  const { id, label, hint, createdAt, lastUsedDay, madeBy } = key;
  const lastUsed = lastUsedDay === 0 ? null : dayText(lastUsedDay);
  return { id, accountId, label, hint, createdAt: timeText(createdAt), lastUsed, madeBy };
}

/** @throws RequestError NOT_FOUND */
async function askedOf({ directory }: Services, accountId: string): Promise<Asked> {
  const home = await homeOfAccount(directory, accountId);
  if ((await home.db.prepare('SELECT 1 FROM accounts WHERE id = ?1').bind(accountId).first()) === null)
    throw noAccount(accountId);
  return { accountId, by: null, home };
}

/**
 * Makes a key under an id chosen by the operator. Only this answer contains the key: a repeated call can only say that
 * it came too late, and makes no second one.
 */
export async function createKey(
  services: Services,
  params: OfKey,
  { accountId, label, caps }: z.infer<typeof keyBodySchema>,
): Promise<Done> {
  const asked = await askedOf(services, accountId);
  const isTaken = await inAny(services, 'SELECT id FROM api_keys WHERE id = ?1', params.key);
  const made = isTaken ? null : await insertKey(services.config, asked, { kind: 'live', label, caps, id: params.key });
  if (made === null)
    throw new RequestError('CONFLICT', `${params.key} exists and is shown only once: delete it and create another.`);
  return done({ ...keyEntry(made, accountId), key: made.key }, 201);
}

/** Takes effect with the next request: every request proves its key in D1. */
export async function deleteKey(services: Services, params: OfKey): Promise<Done> {
  if (!(await inAny(services, 'DELETE FROM api_keys WHERE id = ?1 RETURNING id', params.key)))
    throw new RequestError('NOT_FOUND', `No key ${params.key}: it has been deleted, or never existed.`);
  return done({ id: params.key, deleted: true });
}

/**
 * Whether one of the databases has this key: its id does not say which. @throws if one does not answer and no other has
 * it
 */
async function inAny({ directory }: Services, text: string, keyId: string): Promise<boolean> {
  const found = await Promise.allSettled(directory.all.map((db) => db.prepare(text).bind(keyId).first()));
  if (found.some((one) => one.status === 'fulfilled' && one.value !== null)) return true;
  for (const one of found) if (one.status === 'rejected') throw one.reason;
  return false;
}
