import { generateKeyPairSync } from 'node:crypto';
import { type PrivateJwk, privateJwkSchema } from '../jwk.ts';

/** A new Ed25519 key as the edge, hosts and operators keep it. */
export function makeKey(): PrivateJwk {
  return privateJwkSchema.parse(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
}
