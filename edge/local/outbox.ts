import { Response } from 'miniflare';
import * as z from 'zod';

// Mail of the local service goes nowhere: a ten-line Worker replaces Cloudflare's binding, and hands each mail to a
// function here. Miniflare's own stand-in writes every mail, world-readable, into its temporary folder.

const mailSchema = z.object({ from: z.string(), to: z.string(), subject: z.string(), text: z.string() });
export type OutboxMail = z.infer<typeof mailSchema>;

const SCRIPT = `
import { WorkerEntrypoint } from 'cloudflare:workers';
export class Outbox extends WorkerEntrypoint {
  async send(mail) {
    const answer = await this.env.NODE.fetch('http://outbox', { method: 'POST', body: JSON.stringify(mail) });
    if (!answer.ok) throw new Error('the outbox refused a mail');
    return { messageId: crypto.randomUUID() };
  }
}
export default { fetch: () => new Response(null, { status: 404 }) };
`;

/** How the Worker reaches the outbox. */
export const OUTBOX = { EMAIL: { name: 'outbox', entrypoint: 'Outbox' } } as const;

/** The outbox Worker, as a Miniflare option. */
export function outboxWorker(compatibilityDate: string, onMail: (mail: OutboxMail) => void) {
  return {
    name: 'outbox',
    compatibilityDate,
    modules: [{ type: 'ESModule' as const, path: 'outbox.js', contents: SCRIPT }],
    serviceBindings: {
      NODE: async (request: { json(): Promise<unknown> }) => {
        onMail(mailSchema.parse(await request.json()));
        return new Response(null, { status: 204 });
      },
    },
  };
}
