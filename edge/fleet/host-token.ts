import { decodeJwt, importJWK, jwtVerify } from 'jose';
import { hostIdSchema } from '../../schema/enrolment.ts';
import { publicJwkSchema } from '../../schema/jwk.ts';
import { HOST_TOKEN_TYPE, TOKEN_MAX_AGE_S } from '../../schema/link.ts';
import { parseJson } from '../../schema/parse-json.ts';
import type { HostState } from '../../schema/stored-words.ts';

const TOKEN_LENGTH_MAX = 1_024;
const CLOCK_TOLERANCE_S = 5;
const NAME = /^[\w-]{16,64}$/;

export type HostRow = { readonly publicKey: string; readonly state: HostState };
/** `token`: the name of the token, which is good for one link. */
export type ProvenHost = { readonly host: string; readonly draining: boolean; readonly token: string };

/**
 * Who dials in, proven by the Authorization header.
 * @param header its value: `Bearer` and a JWT (RFC 7519, EdDSA) that the host made with its own key at most 60 s ago
 * @param origin scheme, name and port of the deployment: the audience
 * @param now milliseconds since 1970
 * @param find looks the host up; asked only for a token that is well-formed, fresh and meant for us
 * @returns null for everything that is not a host that may connect
 */
export async function proveHost(
  header: string | null,
  origin: string,
  now: number,
  find: (host: string) => Promise<HostRow | null>,
): Promise<ProvenHost | null> {
  const token = header?.match(/^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i)?.[1];
  if (token === undefined || token.length > TOKEN_LENGTH_MAX) return null;
  const claimed = claimedHost(token, origin, now);
  if (claimed === null) return null;
  const { host, name } = claimed;
  const row = await find(host);
  if (row === null || row.state === 'removed') return null;
  return (await isProven(token, row.publicKey, host, origin, now))
    ? { host, draining: row.state === 'draining', token: name }
    : null;
}

/** What the token says, before it is proven: spares the database whatever cannot be true. */
function claimedHost(token: string, origin: string, now: number): { host: string; name: string } | null {
  try {
    const { iss, aud, iat, jti } = decodeJwt(token);
    const host = hostIdSchema.safeParse(iss);
    if (!host.success || aud !== origin || typeof iat !== 'number') return null;
    if (jti === undefined || !NAME.test(jti) || Math.abs(now / 1000 - iat) > TOKEN_MAX_AGE_S + CLOCK_TOLERANCE_S)
      return null;
    return { host: host.data, name: jti };
  } catch {
    return null;
  }
}

async function isProven(token: string, publicKey: string, host: string, origin: string, now: number): Promise<boolean> {
  const jwk = publicJwkSchema.safeParse(parseJson(publicKey));
  if (!jwk.success) return false;
  try {
    await jwtVerify(token, await importJWK({ ...jwk.data }, 'EdDSA'), {
      algorithms: ['EdDSA', 'Ed25519'],
      typ: HOST_TOKEN_TYPE,
      issuer: host,
      audience: origin,
      requiredClaims: ['exp', 'iat', 'jti'],
      maxTokenAge: TOKEN_MAX_AGE_S,
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(now),
    });
    return true;
  } catch {
    return false;
  }
}
