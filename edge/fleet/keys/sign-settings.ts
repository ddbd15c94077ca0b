import { CompactSign, importJWK } from 'jose';
import { SETTINGS_TOKEN_TYPE, type SettingsClaims } from '../../../schema/join.ts';
import { publicHalf } from '../../../schema/jwk.ts';
import { readSigningKeys } from './edge-keys.ts';

const ALGORITHM = 'EdDSA';

/**
 * Makes the signer of what hosts must know of this edge: its keys and the number of its Fleet objects.
 * @param secret EDGE_SIGNING_KEY; its first key signs, as it signs jobs, so hosts that run jobs believe it
 * @returns a function from a host and the time (milliseconds since 1970) to a compact JWS (RFC 7515)
 */
export function createSettingsSigner(secret: string, shards: number): (host: string, now: number) => Promise<string> {
  return async (host, now) => {
    const keys = readSigningKeys(secret);
    const claims: SettingsClaims = { host, iat: Math.floor(now / 1000), shards, edgeKeys: keys.map(publicHalf) };
    const [{ kty, crv, x, d }] = keys;
    return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: ALGORITHM, typ: SETTINGS_TOKEN_TYPE })
      .sign(await importJWK({ kty, crv, x, d }, ALGORITHM));
  };
}
