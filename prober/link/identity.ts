import { createPrivateKey, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type * as z from 'zod';
import type { EdgeSettings, Enrolment } from '../../schema/enrolment.ts';
import { HOST_TOKEN_TYPE, TOKEN_MAX_AGE_S } from '../../schema/link.ts';

/** Who this process is, and whose jobs it runs. */
export type Identity = {
  readonly host: string;
  /** Random, new in each process: a job for another process of this enrolment is not ours. */
  readonly instance: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Scheme, name and port of the deployment. */
  readonly origin: string;
  readonly shards: number;
  readonly privateKey: KeyObject;
  readonly edgeKeys: readonly KeyObject[];
};

/** @throws if a key of the enrolment is not one */
export function identify(enrolment: Enrolment, instance: string, startedAt: number): Identity {
  const { host, origin, shards } = enrolment;
  return {
    host,
    instance,
    startedAt,
    origin,
    shards,
    privateKey: createPrivateKey({ key: enrolment.privateKey, format: 'jwk' }),
    edgeKeys: enrolment.edgeKeys.map((key) => createPublicKey({ key, format: 'jwk' })),
  };
}

/** The same host, with what it has learnt about its edge. */
export function withSettings(identity: Identity, { shards, edgeKeys }: EdgeSettings): Identity {
  return { ...identity, shards, edgeKeys: edgeKeys.map((key) => createPublicKey({ key, format: 'jwk' })) };
}

/** Whether two identities know the same of their edge. */
export function sameSettings(a: Identity, b: Identity): boolean {
  const sameKeys = a.edgeKeys.length === b.edgeKeys.length && a.edgeKeys.every((key, n) => b.edgeKeys[n]?.equals(key));
  return sameKeys && a.shards === b.shards;
}

/** The token that a host dials in with: a JWT (RFC 7519, EdDSA) valid for 60 s and one link. @param now since 1970 */
export function makeHostToken(identity: Identity, now: number): Promise<string> {
  const iat = Math.floor(now / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'EdDSA', typ: HOST_TOKEN_TYPE })
    .setIssuer(identity.host)
    .setAudience(identity.origin)
    .setJti(randomUUID())
    .setIssuedAt(iat)
    .setExpirationTime(iat + TOKEN_MAX_AGE_S)
    .sign(identity.privateKey);
}

/** The claims in a compact JWS (RFC 7515) to this host, signed just now with a key of the edge; null: anything else. */
export async function provenClaims<Claims extends { readonly host: string; readonly iat: number }>(
  { host, edgeKeys }: Pick<Identity, 'host' | 'edgeKeys'>,
  token: string,
  { typ, schema }: { readonly typ: string; readonly schema: z.ZodType<Claims> },
  now: number,
): Promise<Claims | null> {
  const checks = { algorithms: ['EdDSA', 'Ed25519'], typ, currentDate: new Date(now) };
  for (const key of edgeKeys) {
    const verified = await jwtVerify(token, key, checks).catch(() => null);
    if (verified === null) continue;
    const claims = schema.safeParse(verified.payload);
    if (!claims.success || claims.data.host !== host) return null;
    return Math.abs(now / 1000 - claims.data.iat) > TOKEN_MAX_AGE_S ? null : claims.data;
  }
  return null;
}
