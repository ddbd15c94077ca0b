import { compactVerify, decodeJwt, importJWK, errors } from 'jose';
import type * as z from 'zod';
import { operatorClaimsSchema, TOKEN_LIFE_MAX_S } from '../../schema/admin.ts';
import type { PublicJwk } from '../../schema/jwk.ts';

/** RFC 9864 names the curve; older libraries say EdDSA. Nothing else is accepted, `none` least of all. */
const ALGORITHMS = ['Ed25519', 'EdDSA'];
const TOKEN_BYTES_MAX = 4_096;
/** How far an operator's clock may be ahead of ours. */
const AHEAD_MAX_S = 5;
const BEARER = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+) *$/i;
/** One sentence for an unknown name and for a wrong signature: callers without a key learn no names. */
const NOT_SIGNED = 'The token is not signed by an operator of this deployment.';

type Claims = z.infer<typeof operatorClaimsSchema>;
export type Proof =
  | { readonly kind: 'proven'; readonly operator: string; readonly tokenId: string; readonly request: string }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Whether an Authorization header proves an operator: a bearer JWT signed with the key of the operator it names (RFC
 * 7519, RFC 8037), for this deployment, at most a minute old and made for at most a minute. The caller still has to
 * check that it matches the request (`request`, a digest) and was not used before (`tokenId`).
 * @param audience the deployment's origin
 * @param nowMs milliseconds since 1970
 */
export async function proveOperator(
  header: string | null,
  keys: Readonly<Record<string, PublicJwk>>,
  audience: string,
  nowMs: number,
): Promise<Proof> {
  if (header === null) return refused('This call needs an operator token: Authorization: Bearer <JWT>.');
  const token = header.length > TOKEN_BYTES_MAX ? undefined : BEARER.exec(header)?.[1];
  if (token === undefined) return refused('The Authorization header must be "Bearer" and a signed JWT.');
  const payload = await verifiedPayload(token, keys);
  if (payload === undefined) return refused(NOT_SIGNED);
  const claims = operatorClaimsSchema.safeParse(payload);
  if (!claims.success) {
    const names = [...new Set(claims.error.issues.map((issue) => String(issue.path[0])))].join(', ');
    return refused(`These claims of the token are missing or malformed: ${names}.`);
  }
  const why = claimFault(claims.data, audience, Math.floor(nowMs / 1000));
  if (why !== undefined) return refused(why);
  return { kind: 'proven', operator: claims.data.iss, tokenId: claims.data.jti, request: claims.data.req };
}

function refused(why: string): Proof {
  return { kind: 'refused', why };
}

/** The payload, if signed with the key of the operator that it names; undefined otherwise. */
async function verifiedPayload(token: string, keys: Readonly<Record<string, PublicJwk>>): Promise<unknown> {
  try {
    const { iss = '' } = decodeJwt(token);
    const key = Object.hasOwn(keys, iss) ? keys[iss] : undefined;
    if (key === undefined) return undefined;
    const verified = await compactVerify(token, await importJWK(key, 'Ed25519'), { algorithms: ALGORITHMS });
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(verified.payload));
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError)
      return undefined;
    throw error;
  }
}

function claimFault(claims: Claims, audience: string, now: number): string | undefined {
  if (claims.sub !== claims.iss) return 'The token names two operators: iss and sub must be the same.';
  if (claims.aud !== audience) return `The token is for another deployment than ${audience} (its aud claim).`;
  if (claims.exp <= claims.iat || claims.exp - claims.iat > TOKEN_LIFE_MAX_S)
    return `The token must be valid for more than 0 s and at most ${TOKEN_LIFE_MAX_S} s.`;
  if (claims.iat > now + AHEAD_MAX_S)
    return `The token was made ${claims.iat - now} s in the future: set this machine's clock.`;
  if (now >= claims.exp || now - claims.iat > TOKEN_LIFE_MAX_S)
    return `The token expired (made ${now - claims.iat} s ago): make a new one for each call, with the right clock.`;
  return undefined;
}
