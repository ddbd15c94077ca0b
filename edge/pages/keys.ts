import * as z from 'zod';
import { words } from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import type { NewPageKey, PageKey, PageKeyEntry } from '../../schema/pages-api.ts';
import type { Call } from '../base/call.ts';
import { createKey, createPageKey, deleteKey, listKeys, type OwnKey } from '../people/keys.ts';
import type { Session } from '../people/sessions.ts';
import { dayText, timeText } from '../base/time-text.ts';
import { type JsonResponse, answer } from './route.ts';

export const keyBody = z.strictObject({ kind: z.enum(['live', 'test']), label: words(64) });
export const keyParams = z.strictObject({ id: z.string() });

export async function showKeys({ env }: Call, { account, person }: Session): Promise<JsonResponse> {
  return answer({ keys: (await listKeys(env.DB, account.id, person.id)).map(keyEntry) });
}

export async function makeKey(
  { env, config }: Call,
  { account, person }: Session,
  _params: object,
  { kind, label }: z.infer<typeof keyBody>,
): Promise<JsonResponse> {
  const made = await createKey(env.DB, config, { accountId: account.id, kind, label }, person.id);
  if (made === null) throw new RequestError('CONFLICT', 'An account can have 50 keys: delete one that is not used.');
  return answer({ ...keyEntry(made), key: made.key } satisfies NewPageKey, 201);
}

/** Works from the next request on: every request proves its key in D1. */
export async function removeKey(
  { env }: Call,
  { account, person }: Session,
  { id }: z.infer<typeof keyParams>,
): Promise<JsonResponse> {
  switch (await deleteKey(env.DB, account.id, id, person.id)) {
    case 'deleted':
      return answer();
    case 'unknown':
      throw new RequestError('NOT_FOUND', 'This account has no such key. It may have been deleted.');
    case 'not_allowed':
      throw new RequestError('FORBIDDEN', 'Only an owner can delete this key: no member made it.');
  }
}

/** The key that the page itself calls with. */
export async function makePageKey({ env, config }: Call, session: Session): Promise<JsonResponse> {
  const made = await createPageKey(env.DB, config, session);
  if (made === null)
    throw new RequestError('RATE_LIMITED', 'Too many pages are open in this session. Close some, or wait.', {
      'retry-after': '60',
    });
  return answer({ key: made.key, expiresAt: timeText(made.expiresAt) } satisfies PageKey, 201);
}

function keyEntry({ id, kind, label, hint, createdAt, lastUsedDay, madeBy, mayDelete }: OwnKey): PageKeyEntry {
  return {
    id,
    kind,
    label,
    hint,
    createdAt: timeText(createdAt),
    lastUsed: lastUsedDay === 0 ? null : dayText(lastUsedDay),
    madeBy,
    mayDelete: mayDelete === 1,
  };
}
