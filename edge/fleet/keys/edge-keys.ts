import { type PrivateJwk, publicHalf, type PublicJwk } from '../../../schema/jwk.ts';
import { signingKeysSchema } from '../../../schema/enrolment.ts';
import { parseJson } from '../../../schema/parse-json.ts';

/**
 * The edge's private keys from the secret EDGE_SIGNING_KEY: one JWK, or a list while they rotate. The first signs;
 * hosts enrolled now trust all of them.
 * @throws Error that names the secret, never its value
 */
export function readSigningKeys(secret: string): readonly [PrivateJwk, ...PrivateJwk[]] {
  const parsed = signingKeysSchema.safeParse(parseJson(secret));
  const [first, ...others] = parsed.success ? parsed.data : [];
  if (first === undefined) throw new Error('EDGE_SIGNING_KEY is neither a private Ed25519 JWK nor a list of them');
  return [first, ...others];
}

/** The public halves with which hosts verify jobs, in the same order. */
export function publicSigningKeys(secret: string): readonly PublicJwk[] {
  return readSigningKeys(secret).map(publicHalf);
}
