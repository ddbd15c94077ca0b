import * as z from 'zod';
import { capsSchema, words } from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import type { NewPageKey, PageKey, PageKeyEntry } from '../../schema/pages-api.ts';
import type { Call } from '../base/call.ts';
import { formSettingsSchema, readStored } from '../form/form-key.ts';
import {
  type Asked,
  capKey,
  changeFormKey,
  createKey,
  createPageKey,
  deleteKey,
  listKeys,
  type OwnKey,
} from '../people/keys.ts';
import type { Session } from '../people/sessions.ts';
import { dayText, timeText } from '../base/time-text.ts';
import { homeOfSession } from './account-home.ts';
import { type Id, type JsonResponse, answer, ownersOnly, tooMany } from './route.ts';

const label = words(64);
export const keyBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('live'), label, caps: capsSchema.optional() }),
  z.strictObject({ kind: z.literal('test'), label }),
  z.strictObject({ kind: z.enum(['form', 'formtest']), label, form: formSettingsSchema }),
]);
type KeyBody = z.infer<typeof keyBody>;
/** Of a form's key, or of a live one. */
export const keyChange = z.union([
  z.strictObject({ label, form: formSettingsSchema }),
  z.strictObject({ caps: capsSchema }),
]);
type KeyChange = z.infer<typeof keyChange>;

export async function showKeys(call: Call, session: Session): Promise<JsonResponse> {
  return answer({ keys: (await listKeys(asked(call, session))).map(keyEntry) });
}

export async function makeKey(call: Call, session: Session, _params: object, body: KeyBody): Promise<JsonResponse> {
  const made = await createKey(call.config, asked(call, session), body);
  if (made === null) throw new RequestError('CONFLICT', 'An account can have 50 keys: delete one that is not used.');
  return answer({ ...keyEntry(made), key: made.key } satisfies NewPageKey, 201);
}

/** Takes effect with the next check: each one reads what its key allows. */
export async function updateKey(call: Call, session: Session, { id }: Id, change: KeyChange): Promise<JsonResponse> {
  if ('caps' in change) {
    if (session.account.role !== 'owner') throw ownersOnly();
    if (await capKey(asked(call, session), id, change.caps)) return answer();
    throw new RequestError('NOT_FOUND', 'There is no such live key.');
  }
  if (await changeFormKey(asked(call, session), id, change)) return answer();
  throw new RequestError('NOT_FOUND', 'There is no such form key, or only an owner can change it.');
}

/** Takes effect with the next request: every request proves its key in D1. */
export async function removeKey(call: Call, session: Session, { id }: Id): Promise<JsonResponse> {
  switch (await deleteKey(asked(call, session), id)) {
    case 'deleted':
      return answer();
    case 'unknown':
      throw new RequestError('NOT_FOUND', 'This account has no such key. It may have been deleted.');
    case 'not_allowed':
      throw new RequestError('FORBIDDEN', 'Only an owner can delete this key: no member made it.');
  }
}

/** The key that the page itself uses for its calls. */
export async function makePageKey(call: Call, session: Session): Promise<JsonResponse> {
  const made = await createPageKey(call.config, homeOfSession(call, session), session);
  if (made === null) throw tooMany('Too many pages are open in this session. Close some, or wait.', '60');
  return answer({ key: made.key, expiresAt: timeText(made.expiresAt) } satisfies PageKey, 201);
}

function asked(call: Call, session: Session): Asked {
  return { accountId: session.account.id, by: session.person.id, home: homeOfSession(call, session) };
}

function keyEntry({ createdAt, lastUsedDay, mayDelete, form, ...key }: OwnKey): PageKeyEntry {
  const { id, kind, label: name, hint, madeBy, dayCap, monthCap, spentToday, spentThisMonth } = key;
  return {
    id,
    kind,
    label: name,
    hint,
    createdAt: timeText(createdAt),
    lastUsed: lastUsedDay === 0 ? null : dayText(lastUsedDay),
    madeBy,
    mayDelete,
    ...(kind === 'live' ? { caps: { dayCap, monthCap, spentToday, spentThisMonth } } : {}),
    ...(form === null ? {} : { form: readStored(form) }),
  };
}
