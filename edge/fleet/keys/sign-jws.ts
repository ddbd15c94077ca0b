import { base64url } from 'jose';
import { readSigningKeys } from './edge-keys.ts';

const ALGORITHM = 'EdDSA';
const utf8 = new TextEncoder();

/**
 * Makes the signer of tokens that hosts of this edge believe. Every batch waits for one, so the header is written once.
 * @param secret EDGE_SIGNING_KEY; its first key signs
 * @param type what the tokens are called in their header
 * @returns a function from claims to their compact JWS (RFC 7515, EdDSA)
 * @throws Error that names the secret if it holds no key
 */
export function createSigner(secret: string, type: string): (claims: object) => Promise<string> {
  const [{ kty, crv, x, d, kid }] = readSigningKeys(secret);
  const key = crypto.subtle.importKey('jwk', { kty, crv, x, d }, 'Ed25519', false, ['sign']);
  // A broken key shows at every use; nobody may be waiting for it now.
  key.catch(() => {});
  const header = encode({ alg: ALGORITHM, typ: type, ...(kid === undefined ? {} : { kid }) });
  return async (claims) => {
    const signed = `${header}.${encode(claims)}`;
    const signature = await crypto.subtle.sign('Ed25519', await key, utf8.encode(signed));
    return `${signed}.${base64url.encode(new Uint8Array(signature))}`;
  };
}

function encode(part: object): string {
  return base64url.encode(JSON.stringify(part));
}
