import * as z from 'zod';
import { privateJwkSchema, publicJwkSchema } from './jwk.ts';

/** The name of a probe host: in paths, tokens and audit rows. */
export const hostIdSchema = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/, 'a host name is lower-case letters, digits and hyphens, at most 32');

export const SHARDS_MAX = 64;
const EDGE_KEYS_MAX = 8;

/** The private keys of an edge: one, or a list while they rotate. */
export const signingKeysSchema = z.union([
  privateJwkSchema.transform((key) => [key]),
  z.array(privateJwkSchema).min(1).max(EDGE_KEYS_MAX),
]);

/** What a host must know of its edge. */
export const edgeSettingsSchema = z.object({
  /** How many Fleet objects it dials in to. */
  shards: z.int().min(1).max(SHARDS_MAX),
  /** The public keys that a job may be signed with. */
  edgeKeys: z.array(publicJwkSchema).min(1).max(EDGE_KEYS_MAX),
});
export type EdgeSettings = Readonly<z.infer<typeof edgeSettingsSchema>>;

/**
 * The file that makes a machine a probe host. `join` and `admin host add` write it, mode 0600, and the host reads it at start:
 * who it is, where it dials in (one WebSocket to each of `shards` Fleet objects), the private key that it proves
 * itself with, and every public key that a job may be signed with (several while the edge's key is rotated).
 */
export const enrolmentSchema = edgeSettingsSchema.extend({
  v: z.literal(1),
  host: hostIdSchema,
  /** Scheme, name and port of the deployment; also the audience of the host's tokens. */
  origin: z
    .string()
    .max(300)
    .regex(/^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/, 'must be an origin: scheme, name, port'),
  privateKey: privateJwkSchema,
  /** Milliseconds since 1970: what the host knew of its edge before is older than this file. */
  madeAt: z.number().exactOptional(),
});
export type Enrolment = z.infer<typeof enrolmentSchema>;
