import * as z from 'zod';
import { edgeSettingsSchema, hostIdSchema } from './enrolment.ts';
import { publicJwkSchema } from './jwk.ts';

// How a machine becomes a probe host. An operator's token lets it in once; the key is made on the machine and never
// leaves it. What it must know of the edge it learns then, and again over its links.

/** Where a machine joins: `POST`. */
export const JOIN_PATH = '/join';
export const INVITATION_LIFE_MS = 15 * 60_000;
/** Type in the header of the token that proves a new key, so that no other token can pass for it. */
export const JOIN_TOKEN_TYPE = 'rcpt-join+jwt';
/** The same of the edge's settings. */
export const SETTINGS_TOKEN_TYPE = 'rcpt-settings+jws';

/** What an operator hands over: 32 random bytes. The edge knows its SHA-256 alone. */
export const invitationSchema = z
  .string()
  .regex(/^rcpt-join-[A-Za-z0-9_-]{43}$/, 'an invitation is rcpt-join- and 43 characters: copy it whole');
export const invitationHashSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be a SHA-256 in base64url');

export const JOIN_BODY_BYTES_MAX = 4_096;
/**
 * The body of a join. `proof`: a JWT (RFC 7519, EdDSA) that the new key has signed, `aud` the deployment's origin and
 * `jti` the SHA-256 of the invitation: who joins has the key, and means this edge.
 */
export const joinBodySchema = z.strictObject({
  invitation: invitationSchema,
  publicKey: publicJwkSchema.strict(),
  proof: z.string().max(1_024),
});
export type JoinBody = z.infer<typeof joinBodySchema>;

export const joinedSchema = edgeSettingsSchema.extend({ host: hostIdSchema });
export type Joined = z.infer<typeof joinedSchema>;

/** The claims of the JWS by which a host learns the edge's settings anew: signed with a key that it knows already. */
export const settingsClaimsSchema = edgeSettingsSchema.extend({ host: hostIdSchema, iat: z.number() });
export type SettingsClaims = z.infer<typeof settingsClaimsSchema>;
