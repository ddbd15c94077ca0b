import * as z from 'zod';
import { hostStatusSchema } from '../../../schema/link.ts';

// What is known of a host is attached to its socket, so that an object that hibernated still has its roster. Running
// jobs are not: an object with a batch in progress does not hibernate.

const attachmentSchema = z.object({
  v: z.literal(1),
  host: z.string(),
  connectedAt: z.number(),
  /** An operator is draining the host. */
  ordered: z.boolean(),
  /** Null until the hello. */
  hello: z
    .object({
      instance: z.string(),
      version: z.string(),
      startedAt: z.number(),
      egress: z.array(z.string()),
      slots: z.number(),
      /** Null: no mail server has answered it yet. */
      reachedAt: z.number().nullable(),
      status: hostStatusSchema,
    })
    .nullable(),
});
export type Attachment = z.infer<typeof attachmentSchema>;
export type Greeted = NonNullable<Attachment['hello']>;

/** What was written while this object is awake: every frame needs it, and reading it back is not cheap. */
const known = new WeakMap<WebSocket, Attachment>();

/** Only this file writes attachments; one of another version (from an older object) is ignored. */
export function attached(socket: WebSocket): Attachment | null {
  const link = known.get(socket);
  if (link !== undefined) return link;
  const parsed = attachmentSchema.safeParse(socket.deserializeAttachment());
  if (!parsed.success) return null;
  known.set(socket, parsed.data);
  return parsed.data;
}

export function attach(socket: WebSocket, link: Attachment): void {
  socket.serializeAttachment(link);
  known.set(socket, link);
}
