import * as z from 'zod';
import { accountIdSchema, GRANT_MAX, words } from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import type { Ends, Features, Me } from '../../schema/pages-api.ts';
import { signInAddressSchema } from '../../schema/sign-in-address.ts';
import type { Call } from '../base/call.ts';
import { directoryOf } from '../base/databases.ts';
import { operatorOf } from '../base/operator.ts';
import { askAboutAll } from '../orders/book.ts';
import { hasStripe, sells } from '../orders/stripe.ts';
import { deletePerson, exportPerson, whatEnds } from '../people/delete-person.ts';
import { endKeysOfSession } from '../people/keys.ts';
import { accountsOf, changeAccount } from '../people/people.ts';
import { welcomedOn } from '../people/welcome.ts';
import { lookAtAccount, type Session } from '../people/sessions.ts';
import { homeOfSession, sessionBy } from './account-home.ts';
import { noCookie, sessionToken } from './cookie.ts';
import { dayText } from '../base/time-text.ts';
import { type JsonResponse, answer } from './route.ts';

export const accountChoice = z.strictObject({ accountId: accountIdSchema });
export const accountChange = z.strictObject({
  name: words(100).optional(),
  lowBalanceAt: z.int().min(0).max(GRANT_MAX).nullable().optional(),
});
export const ownAddress = z.strictObject({ email: signInAddressSchema });

/** The signed-in person, and what this deployment offers. A visitor who is not signed in gets an answer too. */
export async function showMe(call: Call): Promise<JsonResponse> {
  const features = featuresOf(call);
  const token = sessionToken(call.request);
  const session = token === null ? null : await sessionBy(call, token);
  if (session === null) return answer({ signedIn: false, features } satisfies Me);
  const { person, account } = session;
  const accounts = await accountsOf(call.env.DB, person.id);
  return answer({ signedIn: true, features, person, account, accounts } satisfies Me);
}

function featuresOf({ config }: Call): Features {
  return {
    buying: sells(config) ? { packs: config.PACKS } : null,
    welcomeCredits: config.WELCOME_SECRET === '' ? 0 : config.WELCOME_CREDITS,
    maxAddresses: config.MAX_ADDRESSES,
    operator: operatorOf(config),
  };
}

export async function chooseAccount(
  call: Call,
  session: Session,
  _params: object,
  { accountId }: z.infer<typeof accountChoice>,
): Promise<JsonResponse> {
  if (!(await lookAtAccount(call.env.DB, session, accountId)))
    throw new RequestError('NOT_FOUND', 'You do not belong to an account with this id.');
  await endKeysOfSession(homeOfSession(call, session).db, session.id);
  return answer();
}

export async function updateAccount(
  call: Call,
  session: Session,
  _params: object,
  { name, lowBalanceAt }: z.infer<typeof accountChange>,
): Promise<JsonResponse> {
  const { db, all } = homeOfSession(call, session);
  // What its people see is in the directory, and what notices use is beside its money.
  for (const one of new Set([db, ...all.slice(0, 1)]))
    await changeAccount(one, session.account.id, {
      name: one === call.env.DB ? name : undefined,
      lowBalanceAt,
    });
  return answer();
}

/** Everything stored about the person who asks. */
export async function exportMe(call: Call, session: Session): Promise<JsonResponse> {
  const { env, config } = call;
  const stored = await exportPerson(directoryOf(call), session.person.id);
  const day = await welcomedOn(env.DB, config, session.person.email);
  const welcomed = day === null ? null : dayText(day);
  return {
    ...answer({ ...stored, welcomed }),
    headers: { 'content-disposition': 'attachment; filename="my-data.json"' },
  };
}

export async function showEnds(call: Call, { person }: Session): Promise<JsonResponse> {
  return answer((await whatEnds(directoryOf(call), person.id)) satisfies Ends);
}

export async function deleteMe(
  call: Call,
  { person }: Session,
  _params: object,
  { email }: z.infer<typeof ownAddress>,
): Promise<JsonResponse> {
  if (email !== person.email) throw new RequestError('INVALID_INPUT', `Type ${person.email} to confirm.`);
  const directory = directoryOf(call);
  const deleted = await deletePerson(directory, person.id);
  if (deleted.kind === 'last_owner')
    throw new RequestError(
      'CONFLICT',
      `You are the last owner of “${deleted.account}”, and others use it. Make one of them an owner first.`,
    );
  if (hasStripe(call.config)) call.waitUntil(askAboutAll(directory, call.config, deleted.unpaid, call.startedMs));
  return { ...answer(), headers: noCookie() };
}
