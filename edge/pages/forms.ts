import * as z from 'zod';
import { words } from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import type { FormKeyEntry } from '../../schema/pages-api.ts';
import type { Call } from '../base/call.ts';
import { timeText } from '../base/time-text.ts';
import { formSettingsSchema, readStored } from '../form/form-key.ts';
import { readUsage } from '../ledger/usage.ts';
import { changeForm, createKey, listKeys, type OwnKey } from '../people/keys.ts';
import type { Session } from '../people/sessions.ts';
import { asked, type keyParams } from './keys.ts';
import { type JsonResponse, answer } from './route.ts';

// The keys of forms. They are deleted as all keys are.

export const formChange = formSettingsSchema.extend({ label: words(64) });
export const newForm = formChange.extend({ kind: z.enum(['form', 'formtest']) });

export async function showForms(call: Call, session: Session): Promise<JsonResponse> {
  const about = asked(call, session);
  const [keys, used] = await Promise.all([listKeys(about), readUsage(about.home.db, session.account.id, 1)]);
  const byKey = new Map(used.map(({ keyId, charged }) => [keyId, charged]));
  return answer({ forms: keys.flatMap((key) => formEntry(key, byKey.get(key.id) ?? 0)) });
}

export async function makeForm(
  call: Call,
  session: Session,
  _params: object,
  { kind, label, ...form }: z.infer<typeof newForm>,
): Promise<JsonResponse> {
  const made = await createKey(call.config, asked(call, session), { kind, label, form });
  if (made === null) throw new RequestError('CONFLICT', 'An account can have 50 keys: delete one that is not used.');
  return answer({ forms: formEntry(made, 0) }, 201);
}

/** Works a second later: so long the service remembers what it read. */
export async function updateForm(
  call: Call,
  session: Session,
  { id }: z.infer<typeof keyParams>,
  { label, ...form }: z.infer<typeof formChange>,
): Promise<JsonResponse> {
  if (await changeForm(asked(call, session), id, { label, form })) return answer();
  throw new RequestError('NOT_FOUND', 'There is no such form key, or only an owner can change it.');
}

/** None for a key that is no form's. */
function formEntry({ form, kind, id, label, createdAt, madeBy, mayDelete }: OwnKey, usedToday: number): FormKeyEntry[] {
  if (form === null || (kind !== 'form' && kind !== 'formtest')) return [];
  const who = { id, kind, label, createdAt: timeText(createdAt), madeBy, mayChange: mayDelete === 1, usedToday };
  return [{ ...who, ...readStored(form) }];
}
