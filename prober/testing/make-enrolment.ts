import { generateKeyPairSync } from 'node:crypto';
import type { Enrolment } from '../../schema/enrolment.ts';
import { type PrivateJwk, privateJwkSchema, publicHalf } from '../../schema/jwk.ts';

/** A new Ed25519 key. */
export function makeKey(): PrivateJwk {
  return privateJwkSchema.parse(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
}

/** An enrolment of one shard with keys of its own. */
export function makeEnrolment(host: string, origin: string): Enrolment {
  return { v: 1, host, origin, shards: 1, privateKey: makeKey(), edgeKeys: [publicHalf(makeKey())] };
}
