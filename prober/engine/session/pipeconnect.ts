import { giverOf } from '../limits/shares/giver.ts';
import type { Account, Clock } from '../ports/ports.ts';
import type { Target } from '../targets/targets.ts';
import type { ServerTraits } from './offers.ts';

// Exim 4.94 and later offer PIPECONNECT: EHLO, MAIL and RCPT may follow the TCP handshake at once, before the greeting,
// which saves two round trips a session. A server says so in reply to EHLO, for sessions to come from the same address.

/** As a server's own hints for other senders: a day. */
const LASTS_MS = 86_400_000;
export const PIPECONNECT_SERVERS_MAX = 10_000;

/** For whom a session is. */
export type Visitor = { readonly account: Account };

/** What one account has met, the longest ago first. */
type Shelf = {
  readonly account: Account;
  readonly met: Map<string, ServerTraits & { readonly at: number }>;
};

/**
 * Servers that offered PIPECONNECT to one of our egress addresses, by account and dialled address: a server says it of
 * itself alone, and nobody learns from the time that an answer takes which servers others have asked. Of too many the one
 * that was met longest ago goes, of the account that gives (`giverOf`).
 */
export class PipeconnectServers {
  readonly #clock: Clock;
  readonly #shelves = new Map<Account, Shelf>();
  #size = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#size;
  }

  /** @param from the egress address, null for the system's choice */
  recall({ account }: Visitor, from: string | null, target: Target): ServerTraits | null {
    const known = this.#shelves.get(account)?.met.get(keyOf(from, target));
    return known === undefined || known.at + LASTS_MS <= this.#clock.now() ? null : known;
  }

  /** A server has answered EHLO. */
  remember(visitor: Visitor, from: string | null, target: Target, { offers, patient }: ServerTraits): void {
    this.forget(visitor, from, target);
    if (!offers.early) return;
    const { account } = visitor;
    const shelf: Shelf = this.#shelves.get(account) ?? { account, met: new Map() };
    this.#shelves.set(account, shelf);
    shelf.met.set(keyOf(from, target), { offers, patient, at: this.#clock.now() });
    this.#size += 1;
    if (this.#size <= PIPECONNECT_SERVERS_MAX) return;
    const giver = giverOf(this.#shelves.values(), ({ met }) => met.size);
    const [oldest] = giver?.met.keys() ?? [];
    if (giver !== null && oldest !== undefined) this.#drop(giver.account, oldest);
  }

  /** It did not do as it had offered. */
  forget({ account }: Visitor, from: string | null, target: Target): void {
    this.#drop(account, keyOf(from, target));
  }

  #drop(account: Account, key: string): void {
    const met = this.#shelves.get(account)?.met;
    if (met === undefined || !met.delete(key)) return;
    this.#size -= 1;
    if (met.size === 0) this.#shelves.delete(account);
  }
}

function keyOf(from: string | null, { ip, port }: Target): string {
  return `${from ?? ''} ${ip} ${port}`;
}
