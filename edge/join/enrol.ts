import type { PublicJwk } from '../../schema/jwk.ts';
import { NOW_MS } from '../ledger/clock.ts';

// How a host gets into the database, by an operator's call or by an invitation.

/** The canonical text of a key's JWK, as stored in `hosts`. */
export function keyText({ kty, crv, x }: PublicJwk): string {
  return JSON.stringify({ kty, crv, x });
}

/**
 * SQL: enrols a host with the key ?2, unless its name is in use. A removed one starts over with another key: the old
 * one stays refused.
 * @param host its id
 * @param from where that comes from, and on what condition
 */
export const enrolling = (host: string, from: string): string => `
  INSERT INTO hosts (id, public_key, state, created_at)
  SELECT ${host}, ?2, 'active', ${NOW_MS} ${from}
  ON CONFLICT (id) DO UPDATE SET public_key = ?2, state = 'active', created_at = ${NOW_MS}
   WHERE hosts.state = 'removed' AND hosts.public_key <> ?2`;
