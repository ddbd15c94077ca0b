import { SETTINGS_TOKEN_TYPE, type SettingsClaims } from '../../../schema/join.ts';
import { publicSigningKeys } from './edge-keys.ts';
import { createSigner } from './sign-jws.ts';

/**
 * Creates the signer of what hosts must know about this edge: its keys and the number of its Fleet objects.
 * @param secret EDGE_SIGNING_KEY; it signs jobs too, so hosts that run jobs trust it
 * @returns a function from a host and the time (milliseconds since 1970) to a token
 */
export function createSettingsSigner(secret: string, shards: number): (host: string, now: number) => Promise<string> {
  const sign = createSigner(secret, SETTINGS_TOKEN_TYPE);
  const edgeKeys = [...publicSigningKeys(secret)];
  return (host, now) => sign({ host, iat: Math.floor(now / 1000), shards, edgeKeys } satisfies SettingsClaims);
}
