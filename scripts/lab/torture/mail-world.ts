import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { ZONE } from './lists.ts';
import type { FarPlace, Place } from './place.ts';

const PROCESS = fileURLToPath(new URL('mail-world-process.ts', import.meta.url));
const readySchema = z.object({ dns: z.string(), port: z.int() });

/** The receivers of one place, as its hosts see them. */
export type MailWorld = {
  /** What a host must be told to see it, and to check itself by it. */
  readonly variables: Readonly<Record<'STUB' | 'ROUTE' | 'CANARY_NAME' | 'CANARY_MISSING' | 'CANARY_HOST', string>>;
  readonly stop: () => Promise<void>;
};

/** Where hosts stand, with the receivers that they see from there. */
export type Site = { readonly place: Place; readonly mail: MailWorld };
export type FarSite = Site & { readonly place: FarPlace };

/**
 * Starts name server and mail servers at a place.
 * @param answersAfterMs what each RCPT waits for its reply
 * @param onAsked told of every RCPT for an address of a list, with its envelope sender
 */
export async function startMailWorld(
  place: Place,
  answersAfterMs: number,
  onAsked: (sender: string, email: string) => void,
): Promise<MailWorld> {
  const [file, args] = place.within([process.execPath, PROCESS, String(answersAfterMs)]);
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [first] = await Promise.race([once(lines, 'line'), ended]);
  const { dns, port } = readySchema.parse(JSON.parse(String(first)));
  lines.on('line', (line) => {
    const [sender = '', email = ''] = line.split(' ');
    onAsked(sender, email);
  });
  return {
    variables: {
      STUB: `${ZONE}=${dns}`,
      ROUTE: `127.77.0.0/16=${port}`,
      CANARY_NAME: `d0.${ZONE},d1.${ZONE}`,
      CANARY_MISSING: `nothing.${ZONE}`,
      CANARY_HOST: `mx0.${ZONE},mx1.${ZONE}`,
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
