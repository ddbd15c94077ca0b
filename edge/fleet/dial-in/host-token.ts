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
const NAME = /^[\w-]{16,64}$/;

export type HostRow = { readonly publicKey: string; readonly state: HostState };
/** What is known of hosts without asking. Nobody is let in by it. */
export type Memory = {
  /** The public key of a host, as it was last seen. */
  readonly keyOf: (host: string) => string | null;
  /** Whether that was so lately that what this key did not make is refused. */
  readonly isYoung: boolean;
};
/** `token`: the name of the token, which is good for one link. */
export type ProvenHost = { readonly host: string; readonly draining: boolean; readonly token: string };

/**
 * Who dials in, proven by the Authorization header.
 * @param header its value: `Bearer` and a JWT (RFC 7519, EdDSA) that the host made with its own key at most 60 s ago
 * @param origin scheme, name and port of the deployment: the audience
 * @param now milliseconds since 1970
 * @param find looks the host up; asked only for a token that is well-formed, fresh and meant for us. It is told whether
 *   a remembered key made the token
 * @returns null for everything that is not a host that may connect
 */
export async function proveHost(
  header: string | null,
  origin: string,
  now: number,
  find: (host: string, isExpected: boolean) => Promise<HostRow | null>,
  memory: Memory | null = null,
): Promise<ProvenHost | null> {
  const token = header?.match(BEARER)?.[1];
  if (token === undefined || token.length > TOKEN_LENGTH_MAX) return null;
  const claimed = claimedHost(token, origin, now);
  if (claimed === null) return null;
  const { host, name } = claimed;
  const provenBy = (publicKey: string): Promise<boolean> => isProven(token, publicKey, host, origin, now);
  const known = memory?.keyOf(host) ?? null;
  const isExpected = known !== null && (await provenBy(known));
  if (known !== null && !isExpected && memory?.isYoung === true) return null;
  const row = await find(host, isExpected);
  if (row === null || row.state === 'removed') return null;
  if (!(isExpected && row.publicKey === known) && !(await provenBy(row.publicKey))) return null;
  return { host, draining: row.state === 'draining', token: name };
}

/** What the token says, before it is proven: the database is not asked about what cannot be true. */
function claimedHost(token: string, origin: string, now: number): { host: string; name: string } | null {
  try {
    const { alg, typ } = decodeProtectedHeader(token);
    if (typ !== HOST_TOKEN_TYPE || alg === undefined || !ALGORITHMS.includes(alg)) return null;
    const { iss, aud, iat, exp, jti } = decodeJwt(token);
    const host = hostIdSchema.safeParse(iss);
    if (!host.success || aud !== origin || typeof iat !== 'number' || typeof exp !== 'number') return null;
    if (jti === undefined || !NAME.test(jti)) return null;
    return Math.abs(now / 1000 - iat) <= TOKEN_MAX_AGE_S + CLOCK_TOLERANCE_S ? { host: host.data, name: jti } : null;
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
