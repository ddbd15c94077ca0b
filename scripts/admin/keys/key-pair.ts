import { exportJWK, generateKeyPair } from 'jose';
import { type PrivateJwk, privateJwkSchema } from '../../../schema/jwk.ts';

/** A new Ed25519 key, made on this machine. */
export async function newKeyPair(): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair('Ed25519', { extractable: true });
  return privateJwkSchema.parse(await exportJWK(privateKey));
}
