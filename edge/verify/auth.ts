import { RequestError } from '../../schema/errors.ts';
import type { Call } from '../call.ts';
import { proveKey, type KeyProof } from '../ledger/hold.ts';
import { hashKey, isIssued } from '../keys/key.ts';

/** RFC 9110 §11.4: the scheme in any case. Two headers arrive joined by a comma and do not match. */
const BEARER = /^bearer +([A-Za-z0-9_]{1,128})$/i;

/**
 * Whether the call carries a key that was once issued: no I/O. Whether the key still stands, D1 says later.
 * @returns the key's hash, by which everything else knows it
 * @throws RequestError UNAUTHORIZED
 */
export async function authenticate(call: Call): Promise<string> {
  const { KEY_PREFIX, KEY_SECRETS } = call.config;
  const key = BEARER.exec(call.request.headers.get('authorization')?.trim() ?? '')?.[1];
  if (key === undefined || !(await isIssued(key, KEY_PREFIX, KEY_SECRETS))) throw unauthorized();
  return hashKey(key);
}

/**
 * Has D1 say whose key it is, for calls that take no credits.
 * @throws RequestError UNAUTHORIZED for a deleted key
 */
export async function prove(call: Call, keyHash: string): Promise<KeyProof> {
  const proof = await proveKey(call.env.DB, keyHash);
  if (proof === null) throw unauthorized();
  return proof;
}

export function unauthorized(): RequestError {
  return new RequestError('UNAUTHORIZED', 'A valid API key is required, as "Authorization: Bearer <key>".', {
    'www-authenticate': 'Bearer',
  });
}
