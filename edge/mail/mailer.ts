import { describe, log } from '../base/log.ts';
import type { LogFields } from '../base/log-fields.ts';
import type { Config } from '../base/config.ts';
import type { Env } from '../base/env.ts';

export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/** Sends one mail, or throws. */
export type Mailer = { readonly send: (mail: Mail) => Promise<void> };

/** What the mail service says of us, and not of the mailbox: anyone may enter one that takes no mail. */
const OURS: ReadonlySet<unknown> = new Set([
  'E_SENDER_NOT_VERIFIED',
  'E_SENDER_DOMAIN_NOT_AVAILABLE',
  'E_RATE_LIMIT_EXCEEDED',
  'E_DAILY_LIMIT_EXCEEDED',
  'E_INTERNAL_SERVER_ERROR',
]);

/** Logs that a mail was not sent: an error only if that is ours to mend. */
export function logUnsent(event: 'mail_failed' | 'notice_failed', about: LogFields, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const isOurs = OURS.has(code);
  log(isOurs ? 'error' : 'warn', event, { ...about, ...(isOurs ? { why: String(code) } : {}), ...describe(error) });
}

/** Sends mail through the binding, from SIGN_IN_FROM. Null if this deployment sends none. */
export function mailerOf({ EMAIL }: Pick<Env, 'EMAIL'>, { SIGN_IN_FROM }: Pick<Config, 'SIGN_IN_FROM'>): Mailer | null {
  if (EMAIL === undefined || SIGN_IN_FROM === '') return null;
  return {
    send: async ({ to, subject, text }) => {
      await EMAIL.send({ from: SIGN_IN_FROM, to, subject, text });
    },
  };
}
