import { base64url } from 'jose';
import * as z from 'zod';
import type { Credential } from '../people/passkeys.ts';

// Verifies passkey ceremonies (WebAuthn Level 2, §7) with @passwordless-id/webauthn, which only calls for passkeys
// load. Its gaps are closed here: the shape of the input, algorithms that it cannot verify later, and its DER parsing
// of signatures, which fails for one in 128 whose numbers begin with a zero byte.

const encoded = (max: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+=*$/)
    .max(max);
const CREDENTIAL_ID_MAX = 1_400;

/** What the library's client returns for a new passkey. */
export const registrationSchema = z.object({
  id: encoded(CREDENTIAL_ID_MAX),
  rawId: encoded(CREDENTIAL_ID_MAX),
  type: z.literal('public-key'),
  user: z.object({ id: z.string().max(200), name: z.string().max(400), displayName: z.string().max(400) }).loose(),
  response: z.object({
    attestationObject: encoded(8_000),
    authenticatorData: encoded(4_000),
    clientDataJSON: encoded(2_000),
    publicKey: encoded(2_000),
    publicKeyAlgorithm: z.literal([-7, -257], { error: 'is an algorithm that this service does not support' }),
    transports: z.array(z.enum(['ble', 'hybrid', 'internal', 'nfc', 'usb', 'smart-card'])).max(8),
  }),
  clientExtensionResults: z.looseObject({}),
});
export type Registration = z.infer<typeof registrationSchema>;

/** What it returns for a sign-in. */
export const authenticationSchema = z.object({
  id: encoded(CREDENTIAL_ID_MAX),
  rawId: encoded(CREDENTIAL_ID_MAX),
  type: z.literal('public-key'),
  response: z.object({
    authenticatorData: encoded(2_000),
    clientDataJSON: encoded(2_000),
    signature: encoded(2_000),
  }),
  clientExtensionResults: z.looseObject({}),
});
export type Authentication = z.infer<typeof authenticationSchema>;

/** The challenge in the client data; null if that cannot be read. This proves nothing yet. */
export function challengeOf(clientDataJSON: string): string | null {
  try {
    const data: unknown = JSON.parse(new TextDecoder().decode(base64url.decode(clientDataJSON)));
    const parsed = z.object({ challenge: z.string() }).safeParse(data);
    return parsed.success ? parsed.data.challenge : null;
  } catch {
    return null;
  }
}

type Expected = { readonly challenge: string; readonly origin: string };

/** The credential of a new passkey; null unless it was made for this origin and challenge, with user verification. */
export async function proveRegistration(
  registration: Registration,
  { challenge, origin }: Expected,
): Promise<(Omit<Credential, 'email'> & { readonly transports: readonly string[] }) | null> {
  const { server } = await import('@passwordless-id/webauthn');
  try {
    const expected = { challenge, origin, domain: new URL(origin).hostname, userVerified: true };
    const { credential, authenticator } = await server.verifyRegistration(registration, expected);
    const algorithm = registration.response.publicKeyAlgorithm === -7 ? 'ES256' : 'RS256';
    const { id, publicKey, transports } = credential;
    return { id, publicKey, algorithm, transports, counter: authenticator.counter };
  } catch {
    return null;
  }
}

/** The authenticator's counter, if this passkey signed this challenge for this origin; null if it did not. */
export async function proveAuthentication(
  authentication: Authentication,
  credential: Credential,
  { challenge, origin }: Expected,
): Promise<number | null> {
  const { server } = await import('@passwordless-id/webauthn');
  try {
    const { id, publicKey, algorithm, counter } = credential;
    const { signature } = authentication.response;
    const response = {
      ...authentication.response,
      signature: algorithm === 'ES256' ? evenSignature(signature) : signature,
    };
    const proven = await server.verifyAuthentication(
      { ...authentication, response },
      { id, publicKey, algorithm, transports: [] },
      { challenge, origin, domain: new URL(origin).hostname, userVerified: true, counter },
    );
    return proven.counter;
  } catch {
    return null;
  }
}

const NUMBER_BYTES = 33;

/**
 * An ECDSA signature (SEQUENCE of two INTEGERs, RFC 3279 §2.2.3) with both numbers as 33 bytes, the first of them 0:
 * the one form that the library reads correctly for all numbers. Anything else becomes an invalid signature.
 */
function evenSignature(signature: string): string {
  const bytes = base64url.decode(signature);
  const afterR = 4 + (bytes[3] ?? 0);
  return base64url.encode(Uint8Array.of(0x30, 70, ...even(bytes.slice(4, afterR)), ...even(bytes.slice(afterR + 2))));
}

function even(number: Uint8Array): readonly number[] {
  return [0x02, NUMBER_BYTES, ...new Uint8Array(NUMBER_BYTES - number.length), ...number];
}
