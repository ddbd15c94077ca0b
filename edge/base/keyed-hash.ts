import { base64url } from 'jose';

// Plain hashes of domains or mailboxes could be reversed with a list of the world's. Under a secret that D1 does not
// have they reveal nothing.

const utf8 = new TextEncoder();
/** Importing a secret costs more than using it. The operator configures few. */
const imported = new Map<string, Promise<CryptoKey>>();

/** @returns HMAC-SHA-256 of the text, or of UTF-8 bytes, under this secret: 43 characters of base64url */
export async function keyedHash(text: string | Uint8Array<ArrayBuffer>, secret: string): Promise<string> {
  const bytes = typeof text === 'string' ? utf8.encode(text) : text;
  const mac = await crypto.subtle.sign('HMAC', await importSecret(secret), bytes);
  return base64url.encode(new Uint8Array(mac));
}

/** The key of a secret, for HMAC-SHA-256. */
export function importSecret(secret: string): Promise<CryptoKey> {
  let key = imported.get(secret);
  if (key === undefined) {
    key = crypto.subtle.importKey('raw', utf8.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    imported.set(secret, key);
  }
  return key;
}
