import * as z from 'zod';
import { words } from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import type { NewPageKey, PageKey, PageKeyEntry } from '../../schema/pages-api.ts';
import type { Call } from '../base/call.ts';
import {
  type Asked,
  createKey,
  createPageKey,
  deleteKey,
  listKeys,
  type OwnKey,
  type OwnKind,
} from '../people/keys.ts';
import type { Session } from '../people/sessions.ts';
import { dayText, timeText } from '../base/time-text.ts';
import { homeOfSession } from './account-home.ts';
import { type JsonResponse, answer } from './route.ts';

export const keyBody = z.strictObject({ kind: z.enum(['live', 'test']), label: words(64) });
export const keyParams = z.strictObject({ id: z.string() });

export async function showKeys(call: Call, session: Session): Promise<JsonResponse> {
  const keys = await listKeys(asked(call, session));
  return answer({ keys: keys.flatMap(({ kind, ...key }) => (isSecret(kind) ? [keyEntry({ ...key, kind })] : [])) });
}

export async function makeKey(
  call: Call,
  session: Session,
  _params: object,
  { kind, label }: z.infer<typeof keyBody>,
): Promise<JsonResponse> {
  const made = await createKey(call.config, asked(call, session), { kind, label });
  if (made === null) throw new RequestError('CONFLICT', 'An account can have 50 keys: delete one that is not used.');
  return answer({ ...keyEntry({ ...made, kind }), key: made.key } satisfies NewPageKey, 201);
}

/** Works from the next request on: every request proves its key in D1. */
export async function removeKey(
  call: Call,
  session: Session,
  { id }: z.infer<typeof keyParams>,
): Promise<JsonResponse> {
  switch (await deleteKey(asked(call, session), id)) {
    case 'deleted':
      return answer();
    case 'unknown':
      throw new RequestError('NOT_FOUND', 'This account has no such key. It may have been deleted.');
    case 'not_allowed':
      throw new RequestError('FORBIDDEN', 'Only an owner can delete this key: no member made it.');
  }
}

/** The key that the page itself calls with. */
export async function makePageKey(call: Call, session: Session): Promise<JsonResponse> {
  const made = await createPageKey(call.config, homeOfSession(call, session), session);
  if (made === null)
    throw new RequestError('RATE_LIMITED', 'Too many pages are open in this session. Close some, or wait.', {
      'retry-after': '60',
    });
  return answer({ key: made.key, expiresAt: timeText(made.expiresAt) } satisfies PageKey, 201);
}

export function asked(call: Call, session: Session): Asked {
  return { accountId: session.account.id, by: session.person.id, home: homeOfSession(call, session) };
}

type SecretKind = PageKeyEntry['kind'];

/** The keys of forms are shown by themselves: see forms.ts. */
function isSecret(kind: OwnKind): kind is SecretKind {
  return kind === 'live' || kind === 'test';
}

function keyEntry(key: OwnKey & { readonly kind: SecretKind }): PageKeyEntry {
  const { id, kind, label, hint, createdAt, lastUsedDay, madeBy, mayDelete } = key;
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
