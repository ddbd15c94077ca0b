import { CompactSign, importJWK } from 'jose';
import { readSigningKeys } from './edge-keys.ts';

const ALGORITHM = 'EdDSA';
const utf8 = new TextEncoder();

/**
 * Creates the signer of tokens that hosts of this edge trust.
 * @param secret EDGE_SIGNING_KEY; its first key signs
 * @param type the `typ` in the header of the tokens
 * @returns a function from claims to their compact JWS (RFC 7515, EdDSA)
 * @throws Error that names the secret if it holds no key
 */
export function createSigner(secret: string, type: string): (claims: object) => Promise<string> {
  const [{ kty, crv, x, d, kid }] = readSigningKeys(secret);
  const key = importJWK({ kty, crv, x, d }, ALGORITHM);
  // A broken key fails at every use; here nothing awaits it yet.
  key.catch(() => {});
  const header = { alg: ALGORITHM, typ: type, ...(kid === undefined ? {} : { kid }) };
  return async (claims) =>
    new CompactSign(utf8.encode(JSON.stringify(claims))).setProtectedHeader(header).sign(await key);
}
