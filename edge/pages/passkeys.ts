import * as z from 'zod';
import { words } from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import type { Challenge, PasskeyEntry } from '../../schema/pages-api.ts';
import type { Call } from '../base/call.ts';
import { directoryOf } from '../base/databases.ts';
import { logUnsent, mailerOf } from '../mail/mailer.ts';
import { passkeyMail } from '../mail/texts.ts';
import { emptiest } from '../ledger/open-account.ts';
import {
  addPasskey,
  type Credential,
  findPasskey,
  listPasskeys,
  newChallenge,
  type Passkey,
  removePasskey,
  signInByPasskey,
  useChallenge,
} from '../people/passkeys.ts';
import type { NewSession, Session } from '../people/sessions.ts';
import { timeText } from '../base/time-text.ts';
import { deviceOf } from './device.ts';
import { countTry } from './limits.ts';
import { type Id, type JsonResponse, answer } from './route.ts';
import { enter, pagesOrigin } from './sign-in.ts';
import {
  authenticationSchema,
  challengeOf,
  proveAuthentication,
  proveRegistration,
  registrationSchema,
} from './webauthn.ts';

export const passkeyBody = z.strictObject({ label: words(64), registration: registrationSchema });
type PasskeyBody = z.infer<typeof passkeyBody>;
export const signInBody = z.strictObject({ authentication: authenticationSchema });

export async function showPasskeys({ env }: Call, { person }: Session): Promise<JsonResponse> {
  return answer({ passkeys: (await listPasskeys(env.DB, person.id)).map(passkeyEntry) });
}

/** The challenge is for this person alone, so that only someone who just signed in can add a passkey. */
export async function challengeForNew({ env }: Call, { person, isFresh }: Session): Promise<JsonResponse> {
  if (!isFresh)
    throw new RequestError('FORBIDDEN', 'Sign in again to add a passkey: your sign-in is more than ten minutes ago.');
  return answer({ challenge: await newChallenge(env.DB, person.id) } satisfies Challenge);
}

export async function makePasskey(
  call: Call,
  { person }: Session,
  _params: object,
  { label, registration }: PasskeyBody,
): Promise<JsonResponse> {
  const { env, request } = call;
  const challenge = challengeOf(registration.response.clientDataJSON);
  const isFresh = challenge !== null && (await useChallenge(env.DB, challenge, person.id));
  const { origin } = new URL(request.url);
  const credential = isFresh ? await proveRegistration(registration, { challenge, origin }) : null;
  if (credential === null)
    throw new RequestError('INVALID_INPUT', 'This passkey was not created for this page just now. Try again.');
  const made = await addPasskey(env.DB, person.id, label, credential);
  if (made === null)
    throw new RequestError(
      'CONFLICT',
      'This passkey is already registered, or you have 20 passkeys, which is the maximum.',
    );
  call.waitUntil(tellOfPasskey(call, person.email));
  return answer(passkeyEntry(made), 201);
}

/** Otherwise someone who finds an open session could add one unnoticed. */
async function tellOfPasskey(call: Call, email: string): Promise<void> {
  try {
    await mailerOf(call.env, call.config)?.send(passkeyMail(pagesOrigin(call), email));
  } catch (error) {
    logUnsent('mail_failed', { requestId: call.id }, error);
  }
}

export async function dropPasskey({ env }: Call, { person }: Session, { id }: Id): Promise<JsonResponse> {
  if (!(await removePasskey(env.DB, person.id, id))) throw new RequestError('NOT_FOUND', 'You have no such passkey.');
  return answer();
}

export async function challengeForSignIn(call: Call): Promise<JsonResponse> {
  await countTry(call);
  return answer({ challenge: await newChallenge(call.env.DB, null) } satisfies Challenge);
}

/** Signs in with a passkey alone: it names its person, so that nothing has to be typed. */
export async function signInWithPasskey(
  call: Call,
  _params: object,
  { authentication }: z.infer<typeof signInBody>,
): Promise<JsonResponse> {
  await countTry(call);
  const { DB } = call.env;
  const challenge = challengeOf(authentication.response.clientDataJSON);
  if (challenge === null || !(await useChallenge(DB, challenge, null))) throw notProven();
  const credential = await findPasskey(DB, authentication.id);
  if (credential === null) throw notProven();
  const { origin } = new URL(call.request.url);
  const counter = await proveAuthentication(authentication, credential, { challenge, origin });
  const session = counter === null ? null : await enterBy(call, credential, counter);
  if (session === null) throw notProven();
  return enter(call, session.token);
}

async function enterBy(call: Call, credential: Credential, counter: number): Promise<NewSession | null> {
  const database = await emptiest(directoryOf(call));
  return signInByPasskey(call.env.DB, credential, counter, deviceOf(call.request), database);
}

/** One message for all: trying passkeys does not reveal which are known. */
function notProven(): RequestError {
  return new RequestError(
    'UNAUTHORIZED',
    'This passkey is not accepted here. Try again, or sign in with a mailed link.',
  );
}

function passkeyEntry({ id, label, createdAt, lastUsedAt }: Passkey): PasskeyEntry {
  return { id, label, createdAt: timeText(createdAt), lastUsed: lastUsedAt === 0 ? null : timeText(lastUsedAt) };
}
