import { type Call, callServer } from '../../engine/wire/greeting.ts';
import type { Reply } from '../../engine/wire/reply.ts';

/** `replies`: the greeting first, then one per command, up to the first that is no acceptance, or to silence. */
export type Talk =
  | { readonly kind: 'undialled'; readonly isRouted: boolean }
  | { readonly kind: 'talked'; readonly replies: readonly Reply[] };

/** Sends commands to a mail server, one after the other, as long as it accepts them, and quits. */
export async function talk(call: Call, commands: readonly string[], replyMs: number): Promise<Talk> {
  const called = await callServer(call);
  if (called.kind === 'undialled') return { kind: 'undialled', isRouted: called.why !== 'no_route' };
  const { wire } = called;
  const replies: Reply[] = [];
  let heard = await wire.hear(call.limits.greetingMs);
  for (const command of [...commands, null]) {
    if (heard.kind !== 'reply') {
      wire.destroy();
      return { kind: 'talked', replies };
    }
    replies.push(heard.reply);
    if (heard.reply.code >= 300 || command === null) break;
    wire.send(command);
    heard = await wire.hear(replyMs);
  }
  wire.quit();
  return { kind: 'talked', replies };
}
