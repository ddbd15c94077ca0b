import type { Config } from '../base/config.ts';
import type { Env } from '../base/env.ts';

export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/** Sends one mail, or throws. */
export type Mailer = { readonly send: (mail: Mail) => Promise<void> };

/** Sends mail through the binding, from SIGN_IN_FROM. Null if this deployment sends none. */
export function mailerOf({ EMAIL }: Pick<Env, 'EMAIL'>, { SIGN_IN_FROM }: Pick<Config, 'SIGN_IN_FROM'>): Mailer | null {
  if (EMAIL === undefined || SIGN_IN_FROM === '') return null;
  return {
    send: async ({ to, subject, text }) => {
      await EMAIL.send({ from: SIGN_IN_FROM, to, subject, text });
    },
  };
}
