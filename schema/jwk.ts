import * as z from 'zod';

// Ed25519 keys as JSON Web Keys (RFC 8037): of operators, of probe hosts and of the edge. Members that are not
// listed (use, key_ops, …) are dropped, so that what is stored and compared is the key alone.

/** 32 bytes in base64url: 43 characters, of which the last carries 4 bits. */
const bytes32 = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, 'not 32 bytes in base64url');
const kid = z.string().min(1).max(64).exactOptional();

export const publicJwkSchema = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: bytes32, kid });
export type PublicJwk = z.infer<typeof publicJwkSchema>;

export const privateJwkSchema = publicJwkSchema.extend({ d: bytes32 });
export type PrivateJwk = z.infer<typeof privateJwkSchema>;

/** The half of a key that may be shown. */
export function publicHalf(key: PrivateJwk): PublicJwk {
  return publicJwkSchema.parse(key);
}
