import type { Mail } from './mailer.ts';

// The texts of our mails. The token is in the fragment of a link, which a mail scanner that opens it sends nowhere, and
// the page behind it asks for one more click.

/**
 * @param origin of the pages, here and below
 * @param back the page where the person was; null: none
 */
export function signInMail(origin: string, to: string, token: string, back: string | null = null): Mail {
  return {
    to,
    subject: `Sign in to ${hostOf(origin)}`,
    text: `Open this link to sign in to ${hostOf(origin)}:

${origin}/sign-in#token=${token}${back === null ? '' : `&back=${encodeURIComponent(back)}`}

It works once, within 15 minutes. You can open it on another device.

If you did not ask for it, ignore this mail: nobody can sign in without the link.
`,
  };
}

/**
 * The text names the person who invites, whose mailbox is proven, and not the account, whose name may say anything.
 * Nothing they chose is in the subject, which is all that many people read.
 */
export function invitationMail(origin: string, to: string, token: string, invitedBy: string): Mail {
  return {
    to,
    subject: `Invitation to ${hostOf(origin)}`,
    text: `${invitedBy} invited you to share an account on ${hostOf(origin)}.

Open this link to see which one, and to join it:

${origin}/invitation#token=${token}

It works for 7 days: you then get a link by mail to sign in with. If you do not know who invited you, ignore this mail.
`,
  };
}

/** The passkey's name is left out: the person who added it chose it. */
export function passkeyMail(origin: string, to: string): Mail {
  return {
    to,
    subject: `A passkey was added on ${hostOf(origin)}`,
    text: `A passkey was added just now that signs in to ${hostOf(origin)} as ${to}.

If it was not you, remove it, end all sessions that you do not know, and check the API keys:

${origin}/settings
`,
  };
}

export function lowBalanceMail(origin: string, to: string, account: string, credits: number): Mail {
  return {
    to,
    subject: `${several(credits)} left in “${account}”`,
    text: `The account “${account}” on ${hostOf(origin)} has ${several(credits)} left. A request that needs more than that is refused
with 402 NO_CREDITS, and nothing is charged for it.

Buy credits:

${origin}/buy

You get this mail once for each purchase, because you are an owner of the account: when a tenth of it is left, unless
an owner chose another number, or 0 for no mail:

${origin}/settings
`,
  };
}

/** @param expiresAt milliseconds since 1970 UTC */
export function expiryMail(origin: string, to: string, account: string, credits: number, expiresAt: number): Mail {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(expiresAt);
  return {
    to,
    subject: `${several(credits)} in “${account}” will expire on ${day}`,
    text: `The account “${account}” on ${hostOf(origin)} has ${several(credits)}, which will expire on ${day} (UTC).
Any purchase before then keeps all of them for another 12 months:

${origin}/balance

You get this mail 30 days and 7 days before, because you are an owner of the account.
`,
  };
}

/** @param forms their names */
export function formDayMail(origin: string, to: string, account: string, forms: readonly string[]): Mail {
  const names = forms.map((form) => `“${form}”`).join(', ');
  return {
    to,
    subject: `A form of “${account}” has used its credits of today`,
    text: `A form of the account “${account}” on ${hostOf(origin)} has used all the credits that its key may use in a day: ${names}. Until midnight UTC
it checks no more addresses. The form itself works as before, and lets everybody through.

If that is more than your visitors need, somebody may be trying it out. See what was used, and allow more or fewer:

${origin}/developers

You get this mail once a day at most, because you are an owner of the account.
`,
  };
}

function hostOf(origin: string): string {
  return new URL(origin).host;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

function several(credits: number): string {
  return `${number(credits)} ${credits === 1 ? 'credit' : 'credits'}`;
}
