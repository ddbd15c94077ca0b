import { base64url, importJWK, jwtVerify } from 'jose';
import type { PublicJwk } from '../../schema/jwk.ts';
import { JOIN_TOKEN_TYPE } from '../../schema/join.ts';
import { TOKEN_MAX_AGE_S } from '../../schema/link.ts';

const CLOCK_TOLERANCE_S = 5;

/**
 * Whether the machine has the private half of the key that it presents.
 * @param proof a JWT by that key for this deployment and this invitation, at most 60 s old
 * @param hash SHA-256 of the invitation, base64url
 * @returns how many seconds the machine's clock is ahead, 0 if it is right enough; null if this proves nothing
 */
export async function proveKey(
  proof: string,
  publicKey: PublicJwk,
  hash: string,
  origin: string,
  nowMs: number,
): Promise<{ readonly aheadS: number } | null> {
  try {
    const { payload } = await jwtVerify(proof, await importJWK(publicKey, 'EdDSA'), {
      algorithms: ['EdDSA', 'Ed25519'],
      typ: JOIN_TOKEN_TYPE,
      audience: origin,
      requiredClaims: ['iat', 'jti'],
      // The clock is checked below, where its error can be reported.
      currentDate: new Date(0),
      clockTolerance: Number.MAX_SAFE_INTEGER,
    });
    if (payload.jti !== hash || payload.iat === undefined) return null;
    const aheadS = Math.round(payload.iat - nowMs / 1000);
    return { aheadS: Math.abs(aheadS) <= TOKEN_MAX_AGE_S + CLOCK_TOLERANCE_S ? 0 : aheadS };
  } catch {
    return null;
  }
}

/** The SHA-256 of an invitation, as stored. */
export async function hashOf(invitation: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(invitation))));
}
