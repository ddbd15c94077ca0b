import { RequestError } from '../../schema/errors.ts';
import type { Call } from '../base/call.ts';
import { proveKey, type KeyProof } from '../ledger/hold.ts';
import type { Home } from '../base/databases.ts';
import { askHome, homeOf } from './key-home.ts';
import { type Bearer, findBearer } from './known-keys.ts';

/** RFC 9110 §11.4: the scheme in any case. Two headers arrive joined by a comma and do not match. */
const BEARER = /^bearer +([A-Za-z0-9_]{1,128})$/i;

/**
 * Whether the call carries a key that was once issued: no I/O. Whether the key still exists, D1 says later.
 * @param found told of an issued key, fit for the call or not
 * @throws RequestError UNAUTHORIZED
 */
export async function authenticate({ request, config }: Call, found?: (bearer: Bearer) => void): Promise<Bearer> {
  const key = BEARER.exec(request.headers.get('authorization')?.trim() ?? '')?.[1];
  const bearer = key === undefined ? null : await findBearer(key, config);
  if (bearer === null) throw unauthorized();
  found?.(bearer);
  if (bearer.opens === 'form')
    throw new RequestError(
      'UNAUTHORIZED',
      'This is the key of a form, which opens POST /api/v1/form alone. Call with a secret key, from a server.',
      { 'www-authenticate': 'Bearer' },
    );
  return bearer;
}

/** Asks D1 whose key it is, for calls that take no credits. @throws RequestError UNAUTHORIZED for a deleted key */
export async function prove(call: Call, bearer: Bearer): Promise<KeyProof & { readonly home: Home }> {
  const proof = await askHome(call, bearer, ({ db }) => proveKey(db, bearer.keyHash));
  bearer.owner = proof?.accountId ?? null;
  if (proof === null) throw unauthorized();
  return { ...proof, home: homeOf(call, bearer) };
}

/** The same for every wrong key: a caller learns nothing about keys by trying. */
export function unauthorized(): RequestError {
  return new RequestError('UNAUTHORIZED', 'A valid API key is required, as "Authorization: Bearer <key>".', {
    'www-authenticate': 'Bearer',
  });
}
