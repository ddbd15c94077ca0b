import type { Challenge } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';

/** @returns false if the reader changed their mind. @throws Trouble; what the browser throws */
export async function signInByPasskey(): Promise<boolean> {
  const { client } = await import('@passwordless-id/webauthn');
  const { challenge } = await call<Challenge>('POST', 'sign-in/passkey/challenge');
  const authentication = await ask(() => client.authenticate({ challenge, userVerification: 'required' }));
  if (authentication === null) return false;
  await call('POST', 'sign-in/passkey', { authentication });
  return true;
}

/** What the browser asks the reader; null if they closed it, or waited too long. */
export async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')) return null;
    throw error;
  }
}
