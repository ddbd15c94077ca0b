import type { Clock } from '../ports/ports.ts';
import type { Target } from '../targets/targets.ts';
import type { ServerTraits } from './offers.ts';

// Exim 4.94 and later offer PIPECONNECT: EHLO, MAIL and RCPT may follow the TCP handshake at once, before the greeting,
// which saves two round trips a session. A server says so in reply to EHLO, for sessions to come from the same address.

/** As a server's own hints for other senders: a day. */
const LASTS_MS = 86_400_000;
export const PIPECONNECT_SERVERS_MAX = 10_000;

/**
 * Servers that offered PIPECONNECT to one of our egress addresses, by the dialled address: a server says it of itself alone.
 * Of too many the ones that were met longest ago go.
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

  /** @param from the egress address, null for the system's choice */
  recall(from: string | null, target: Target): ServerTraits | null {
    const known = this.#met.get(keyOf(from, target));
    return known === undefined || known.at + LASTS_MS <= this.#clock.now() ? null : known;
  }

  /** A server has answered EHLO. */
  remember(from: string | null, target: Target, { offers, patient }: ServerTraits): void {
    const key = keyOf(from, target);
    this.#met.delete(key);
    if (!offers.early) return;
    this.#met.set(key, { offers, patient, at: this.#clock.now() });
    const [oldest] = this.#met.keys();
    if (this.#met.size > PIPECONNECT_SERVERS_MAX && oldest !== undefined) this.#met.delete(oldest);
  }

  /** It did not do as it had offered. */
  forget(from: string | null, target: Target): void {
    this.#met.delete(keyOf(from, target));
  }
}

function keyOf(from: string | null, { ip, port }: Target): string {
  return `${from ?? ''} ${ip} ${port}`;
}
