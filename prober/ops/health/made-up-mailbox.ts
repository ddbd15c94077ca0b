import { helloCommand, mailCommand, rcptCommand } from '../../engine/wire/command.ts';
import { type Call, hearGreeting } from '../../engine/wire/greeting.ts';
import type { Wire } from '../../engine/wire/wire.ts';

export type MadeUp = {
  readonly heloName: string;
  readonly mailFrom: string;
  readonly local: string;
  readonly domain: string;
};

const REPLY_MS = 10_000;

/**
 * Whether a mail server refuses a mailbox that cannot exist, whatever it says against it (5xx at RCPT, RFC 5321 §4.2.1).
 * A way out on which everybody is accepted, or everybody is put off, leads to no real server.
 */
export async function refusesMadeUp(call: Call, { heloName, mailFrom, local, domain }: MadeUp): Promise<boolean> {
  const greeting = await hearGreeting(call);
  if (greeting.kind !== 'reply') return false;
  const { wire, reply } = greeting;
  const isOpen =
    reply.code === 220 &&
    (await codeFor(wire, helloCommand('EHLO', heloName))) === 250 &&
    (await codeFor(wire, mailCommand(mailFrom, false))) === 250;
  const code = isOpen ? await codeFor(wire, rcptCommand(local, domain)) : null;
  wire.quit();
  return code !== null && code >= 500;
}

async function codeFor(wire: Wire, command: string): Promise<number | null> {
  wire.send(command);
  const heard = await wire.hear(REPLY_MS);
  return heard.kind === 'reply' ? heard.reply.code : null;
}
