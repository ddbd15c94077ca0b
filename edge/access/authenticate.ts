import { RequestError } from '../../schema/errors.ts';
import type { AccountClass } from '../../schema/shares.ts';
import type { Call } from '../base/call.ts';
import { proveKey, type KeyProof } from '../ledger/hold.ts';
import type { Home } from '../base/databases.ts';
import { askHome, homeOf } from './key-home.ts';
import { knownAccount } from './known-accounts.ts';
import { type Bearer, findBearer, noteOwner, noteUnknown, unknownUntilMs } from './known-keys.ts';

/** RFC 9110 §11.4: the scheme in any case. Two headers arrive joined by a comma and do not match. */
const BEARER = /^bearer +([A-Za-z0-9_]{1,128})$/i;
/** How long a key that D1 does not know is refused without asking again: one that was deleted never comes back. */
const UNKNOWN_FOR_MS = 1_000;

/**
 * Whether the call carries a key that was once issued: no I/O. Whether the key still stands, D1 says later.
 * @throws RequestError UNAUTHORIZED
 */
export async function authenticate({ request, config }: Call): Promise<Bearer> {
  const key = BEARER.exec(request.headers.get('authorization')?.trim() ?? '')?.[1];
  const bearer = key === undefined ? null : await findBearer(key, config);
  if (bearer === null) throw unauthorized();
  return bearer;
}

/**
 * Has D1 say whose key it is, for calls that take no credits.
 * @throws RequestError UNAUTHORIZED for a deleted key
 */
export async function prove(call: Call, bearer: Bearer): Promise<KeyProof & { readonly home: Home }> {
  refuseUnknown(bearer);
  const proof = await askHome(call, bearer, ({ db }) => proveKey(db, bearer.keyHash));
  learnOwner(call, bearer, proof);
  if (proof === null) throw unauthorized();
  return { ...proof, home: homeOf(call, bearer) };
}

/**
 * Refuses a key of which D1 has just said that there is none, without asking it again.
 * @throws RequestError UNAUTHORIZED
 */
export function refuseUnknown(bearer: Bearer): void {
  if (Date.now() < unknownUntilMs(bearer)) throw unauthorized();
}

/** What D1 said of a key is remembered for the next calls. @param owner null: there is no such key */
export function learnOwner(
  { config }: Call,
  bearer: Bearer,
  owner: { readonly accountId: string; readonly accountClass: AccountClass } | null,
): void {
  const nowMs = Date.now();
  if (owner === null) {
    noteUnknown(bearer, nowMs + UNKNOWN_FOR_MS);
    return;
  }
  knownAccount(config, bearer).hear(owner.accountClass, nowMs);
  noteOwner(bearer, owner.accountId);
}

/** The same for every fault of a key: a caller learns nothing of keys by trying. */
export function unauthorized(): RequestError {
  return new RequestError('UNAUTHORIZED', 'A valid API key is required, as "Authorization: Bearer <key>".', {
    'www-authenticate': 'Bearer',
  });
}
