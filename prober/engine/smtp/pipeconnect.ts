import { keepLatest } from '../../../schema/keep-latest.ts';
import type { Account, Clock } from '../ports/ports.ts';
import type { Target } from '../targets/targets.ts';
import { helloCommand } from './command.ts';
import type { Early, ServerTraits } from './offers.ts';
import { GREETING, isGood, readHello, type Session } from './session.ts';

// Exim 4.94 and later offer PIPECONNECT: EHLO, MAIL and RCPT may follow the TCP handshake at once, before the greeting,
// which saves two round trips per session. A server says so in its reply to EHLO, for later sessions from the same
// address. If anything differs from the offer it is no evidence: another session is opened in order.

/** A day, like a server's own hints for other senders. */
const LASTS_MS = 86_400_000;
export const PIPECONNECT_SERVERS_MAX = 10_000;

/** EHLO, for the write that continues with the first commands of the session. */
export function earlyHello({ heloName }: Session): string {
  return helloCommand('EHLO', heloName);
}

/** Reads greeting and answer to EHLO; the replies to the early commands follow. @returns whether they are as before */
export async function hearEarly(session: Session, early: Early): Promise<boolean> {
  const { connection, commandMs } = session;
  for (const stage of ['greeting', 'ehlo'] as const) {
    const heard = await connection.hear(commandMs);
    if (heard.kind !== 'reply') return false;
    const { reply } = heard;
    if (stage === 'greeting' ? reply.code !== GREETING : !isGood(reply) || reply.code === GREETING) return false;
    if (stage === 'ehlo') readHello(session, reply);
  }
  if (!session.offers.pipelining) return false;
  early.keep(session);
  session.early = null;
  return true;
}

/**
 * Servers that offered PIPECONNECT to one of our egress addresses, by account and dialled address: no account can tell
 * from the time of an answer which servers others have asked.
 */
export class PipeconnectServers {
  readonly #clock: Clock;
  readonly #met = new Map<string, ServerTraits & { readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#met.size;
  }

  /** Null: the server has not offered it. @param from the egress address, null for the system's choice */
  recall(account: Account, from: string | null, target: Target): Early | null {
    const key = keyOf(account, from, target);
    const known = this.#met.get(key);
    if (known === undefined || known.at + LASTS_MS <= this.#clock.now()) return null;
    return { known, keep: (traits) => this.remember(account, from, target, traits) };
  }

  remember(account: Account, from: string | null, target: Target, { offers, patient }: ServerTraits): void {
    const key = keyOf(account, from, target);
    if (offers.early) keepLatest(this.#met, key, { offers, patient, at: this.#clock.now() }, PIPECONNECT_SERVERS_MAX);
    else this.#met.delete(key);
  }
}

function keyOf(account: Account, from: string | null, { ip, port }: Target): string {
  return `${account} ${from ?? ''} ${ip} ${port}`;
}
