import * as z from 'zod';
import { RequestError } from '../../schema/errors.ts';
import type { LinkPreview, LinkRequested } from '../../schema/pages-api.ts';
import { signInAddressSchema } from '../../schema/sign-in-address.ts';
import { suggestion } from '../../schema/suggestion.ts';
import type { Call } from '../base/call.ts';
import { directoryOf } from '../base/databases.ts';
import { log } from '../base/log.ts';
import { logUnsent, type Mailer, mailerOf } from '../mail/mailer.ts';
import { signInMail } from '../mail/texts.ts';
import { emptiest } from '../ledger/open-account.ts';
import { areUsedUp, type Sent, strangersMayHave } from '../people/mail-limits.ts';
import { lookAtLink, makeSignInLink } from '../people/links.ts';
import type { Session } from '../people/sessions.ts';
import { signIn } from '../people/sign-in.ts';
import { TOKEN_LENGTH } from '../people/token.ts';
import { refuseUnreachable } from '../people/unreachable.ts';
import { welcomeOf, whyNoGift } from '../people/welcome.ts';
import { comeBackTo } from '../dashboard/route/paths.ts';
import { endOneOf, sessionBy } from './account-home.ts';
import { noCookie, sessionCookie, sessionToken } from './cookie.ts';
import { deviceOf } from './device.ts';
import { countTry, networkThatAsks } from './limits.ts';
import { type JsonResponse, answer, tooMany } from './route.ts';
import { sentBy } from './sent.ts';

/** `asTyped`: though another address is probably meant. `back`: the page where the person was. */
export const linkBody = z.strictObject({
  email: signInAddressSchema,
  asTyped: z.literal(true).optional(),
  back: z.string().max(100).optional(),
});
export const tokenBody = z.strictObject({ token: z.string().regex(new RegExp(`^[0-9A-Za-z]{${TOKEN_LENGTH}}$`)) });

/** Where the pages are, for links in mails. */
export function pagesOrigin({ config, request }: Call): string {
  return config.PUBLIC_URL === '' ? new URL(request.url).origin : config.PUBLIC_URL;
}

/** @throws RequestError UNAVAILABLE */
export function mailer({ env, config }: Call): Mailer {
  const found = mailerOf(env, config);
  if (found === null) throw new RequestError('UNAVAILABLE', 'This service is not configured to send mail.');
  return found;
}

/**
 * Mails a link to this mailbox; if its domain looks mistyped, only with `asTyped`. The answer is sent before any work that depends on the address, and never depends on
 * whether it is known: everyone is told that strangers have used up their mails.
 */
export async function requestLink(
  call: Call,
  _params: object,
  { email, asTyped, back }: z.infer<typeof linkBody>,
): Promise<JsonResponse> {
  const mail = mailer(call);
  await countTry(call);
  const meant = asTyped === true ? null : await meantBy(email);
  if (meant !== null) return answer({ didYouMean: meant } satisfies LinkRequested);
  refuseUnreachable(call.config, email);
  const sent = await sentBy(call, email, networkThatAsks(call));
  const [mayHave, noGift] = await Promise.all([
    strangersMayHave(call.env.DB, sent),
    whyNoGift(call.env.DB, call.config, email, 'anyone'),
  ]);
  call.waitUntil(mailLink(call, mail, { email, back: comeBackTo(back) }, sent));
  return answer({ ...(mayHave ? {} : { membersOnly: true as const }), noGift } satisfies LinkRequested, 202);
}

/** The address that was probably meant, as `did_you_mean` names it; null if this one looks intentional. */
async function meantBy(email: string): Promise<string | null> {
  const { typoOf } = await import('../../schema/typo/typo.ts');
  const at = email.lastIndexOf('@') + 1;
  const domain = typoOf(email.slice(at));
  return domain === null ? null : suggestion(email.slice(0, at) + domain);
}

type Asked = { readonly email: string; readonly back: string | null };

async function mailLink(call: Call, mail: Mailer, { email, back }: Asked, sent: Sent): Promise<void> {
  try {
    const { DB } = call.env;
    const token = await makeSignInLink(DB, email, sent);
    if (token !== null) await mail.send(signInMail(pagesOrigin(call), email, token, back));
    else if (await areUsedUp(DB, sent)) log('warn', 'stranger_mails_full', { mails: sent.total, day: sent.day });
  } catch (error) {
    logUnsent('mail_failed', { requestId: call.id }, error);
  }
}

type Token = { readonly token: string };

/** What a link is for, so that the page can show it before the link is used. */
export async function previewLink(call: Call, _params: object, { token }: Token): Promise<JsonResponse> {
  await countTry(call);
  const preview = await lookAtLink(call.env.DB, token);
  if (preview === null) throw linkIsGone();
  if (preview.kind === 'sign_in') {
    const { isKnown, ...link } = preview;
    const isNew = link.account === null && isKnown === 0;
    const noGift = isNew ? await whyNoGift(call.env.DB, call.config, link.email, 'proven') : null;
    return answer({ ...link, noGift } satisfies LinkPreview);
  }
  const { id: _id, ...invitation } = preview;
  return answer(invitation);
}

/**
 * Uses a link: always opens a new session, even if the browser has one. The link of an invitation, which anyone may
 * have, mails the invited person one that signs in.
 */
export async function confirmLink(call: Call, _params: object, { token }: Token): Promise<JsonResponse> {
  await countTry(call);
  const { DB } = call.env;
  const link = await lookAtLink(DB, token);
  if (link === null) throw linkIsGone();
  const { email } = link;
  if (link.kind === 'invitation') return mailInvited(call, email, link.id);
  const welcome = await welcomeOf(call.config, email);
  const database = link.account === null ? await emptiest(directoryOf(call)) : 0;
  const session = await signIn(
    DB,
    { token, email },
    deviceOf(call.request),
    { welcome, nowMs: call.startedMs },
    database,
  );
  if (session === null) throw linkIsGone();
  return enter(call, session.token);
}

async function mailInvited(call: Call, email: string, invitationId: string): Promise<JsonResponse> {
  const mail = mailer(call);
  const asker = await sentBy(call, email, networkThatAsks(call));
  const token = await makeSignInLink(call.env.DB, email, asker, invitationId);
  if (token === null) throw tooMany('Too many links were mailed lately. Try again later.', '3600');
  try {
    await mail.send(signInMail(pagesOrigin(call), email, token));
  } catch (error) {
    logUnsent('mail_failed', { requestId: call.id }, error);
    throw new RequestError('UNAVAILABLE', 'The link could not be mailed. Try again in a few minutes.');
  }
  return answer({}, 202);
}

/** Gives the browser its new session and ends its previous one. */
export async function enter(call: Call, token: string): Promise<JsonResponse> {
  const before = sessionToken(call.request);
  const ended = before === null ? null : await sessionBy(call, before);
  if (ended !== null) await endOneOf(call, ended, ended.id);
  return { ...answer(), headers: sessionCookie(token) };
}

export async function signOut(call: Call, session: Session): Promise<JsonResponse> {
  await endOneOf(call, session, session.id);
  return { ...answer(), headers: noCookie() };
}

function linkIsGone(): RequestError {
  return new RequestError('GONE', 'This link was already used or has expired. Request a new one.');
}
