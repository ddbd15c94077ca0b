import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { hostIdSchema } from '../../../schema/enrolment.ts';
import { publicJwkSchema } from '../../../schema/jwk.ts';
import { HOST_TOKEN_TYPE, TOKEN_MAX_AGE_S } from '../../../schema/link.ts';
import { parseJson } from '../../../schema/parse-json.ts';
import type { HostState } from '../../../schema/words/stored.ts';

const TOKEN_LENGTH_MAX = 1_024;
const ALGORITHMS = ['EdDSA', 'Ed25519'];
/** Three parts in base64url, the last the 64 bytes of an Ed25519 signature (RFC 8032 §5.1.6). */
const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]{86})$/i;
export const CLOCK_TOLERANCE_S = 5;

export type HostRow = { readonly publicKey: string; readonly state: HostState };
export type ProvenHost = { readonly host: string; readonly draining: boolean };

/**
 * Authenticates a host by its Authorization header.
 * @param header its value: `Bearer` and a JWT (RFC 7519, EdDSA) that the host signed with its own key at most 60 s ago
 * @param origin scheme, name and port of the deployment: the audience
 * @param now milliseconds since 1970
 * @param find looks the host up; called only for a token that is well-formed, fresh and meant for us
 * @returns null for everything that is not a host that may connect
 */
export async function proveHost(
  header: string | null,
  origin: string,
  now: number,
  find: (host: string) => Promise<HostRow | null>,
): Promise<ProvenHost | null> {
  const token = header?.match(BEARER)?.[1];
  if (token === undefined || token.length > TOKEN_LENGTH_MAX) return null;
  const host = claimedHost(token, origin, now);
  const row = host === null ? null : await find(host);
  if (host === null || row === null || row.state === 'removed') return null;
  if (!(await isProven(token, row.publicKey, host, origin, now))) return null;
  return { host, draining: row.state === 'draining' };
}

/** The host named by a token that is not proven yet: the database is not read for one that cannot be valid. */
function claimedHost(token: string, origin: string, now: number): string | null {
  try {
    const { alg, typ } = decodeProtectedHeader(token);
    if (typ !== HOST_TOKEN_TYPE || alg === undefined || !ALGORITHMS.includes(alg)) return null;
    const { iss, aud, iat, exp } = decodeJwt(token);
    const host = hostIdSchema.safeParse(iss);
    if (!host.success || aud !== origin || typeof iat !== 'number' || typeof exp !== 'number') return null;
    return Math.abs(now / 1000 - iat) <= TOKEN_MAX_AGE_S + CLOCK_TOLERANCE_S ? host.data : null;
  } catch {
    return null;
  }
}

async function isProven(token: string, publicKey: string, host: string, origin: string, now: number): Promise<boolean> {
  const jwk = publicJwkSchema.safeParse(parseJson(publicKey));
  if (!jwk.success) return false;
  try {
    await jwtVerify(token, await importJWK({ ...jwk.data }, 'EdDSA'), {
      algorithms: ALGORITHMS,
      typ: HOST_TOKEN_TYPE,
      issuer: host,
      audience: origin,
      requiredClaims: ['exp', 'iat'],
      maxTokenAge: TOKEN_MAX_AGE_S,
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(now),
    });
    return true;
  } catch {
    return false;
  }
}
