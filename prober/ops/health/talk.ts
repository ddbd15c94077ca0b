import { type Call, callServer } from '../../engine/smtp/wire/connection.ts';
import type { Reply } from '../../engine/smtp/wire/reply.ts';

/** `replies`: the greeting first, then one per command, up to the one that ends it, or to silence. */
export type Talk =
  | { readonly kind: 'undialled'; readonly isRouted: boolean }
  | { readonly kind: 'talked'; readonly replies: readonly Reply[] };

const REFUSED_MIN = 300;

/** Sends commands to a mail server, one after the other, as long as it accepts all but recipients, and quits. */
export async function talk(call: Call, commands: readonly string[], replyMs: number): Promise<Talk> {
  const connection = await callServer(call);
  if (typeof connection === 'string') return { kind: 'undialled', isRouted: connection !== 'no_route' };
  const replies: Reply[] = [];
  let heard = await connection.hear(call.limits.greetingMs);
  for (const [n, command] of [...commands, null].entries()) {
    if (heard.kind !== 'reply') {
      connection.destroy();
      return { kind: 'talked', replies };
    }
    replies.push(heard.reply);
    const isAccepted = heard.reply.code < REFUSED_MIN || commands[n - 1]?.startsWith('RCPT ') === true;
    if (!isAccepted || command === null) break;
    connection.send(command);
    heard = await connection.hear(replyMs);
  }
  connection.quit();
  return { kind: 'talked', replies };
}
