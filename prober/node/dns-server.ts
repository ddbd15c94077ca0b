import { Resolver } from 'node:dns';
import { closeSync, openSync } from 'node:fs';
import type { TellError } from '../base/exhaustion.ts';
import { Semaphore } from '../engine/limits/semaphore.ts';
import type { Account, MxRecord } from '../engine/ports/ports.ts';
import { monotonicMs } from '../base/monotonic.ts';
import { clock } from './clock.ts';

/** Who asks. The host's own questions are few, and never wait. */
export type Asker = Account | 'host';

/** A name in lower case, A-labels, without the last dot. */
export type Question = { readonly name: string; readonly type: 'A' | 'AAAA' | 'MX' | 'PTR' };

/** An IP address, a host name, or an exchange: '' for the root. */
export type DnsRecord = string | MxRecord;

export type Said =
  | { readonly kind: 'found'; readonly records: readonly DnsRecord[] }
  | { readonly kind: 'none' } // NODATA
  | { readonly kind: 'nxdomain' }
  | { readonly kind: 'refused' }; // SERVFAIL, REFUSED and the like, silence, or something unreadable

/** With some 300 at once c-ares loses datagrams. A single account has four fifths. */
const UNDER_WAY_MAX = 100;
/** A question is repeated until its answer is no longer waited for. */
const OPTIONS = { timeout: 1_000, tries: 8 };
/** A resolver gets new questions for so long, and is cancelled at that age. */
const TIMINGS = { newMs: 1_000, endMs: 5_000 };

/** One DNS server, asked through c-ares, in turn by account. */
export class DnsServer {
  readonly address: string;
  readonly #onError: TellError;
  readonly #timings: typeof TIMINGS;
  readonly #places = new Semaphore(clock, { connections: UNDER_WAY_MAX });
  #resolver: Resolver | null = null;
  #bornAt = 0;

  /** @param onError called if a question failed because this process has no descriptor left */
  constructor(address: string, onError: TellError = () => {}, timings = TIMINGS) {
    this.address = address;
    this.#onError = onError;
    this.#timings = timings;
  }

  /** A place is held until c-ares has ended with the question. @returns a function that stops waiting */
  ask(question: Question, asker: Asker, heard: (said: Said) => void): () => void {
    let isWanted = true;
    let isWaiting = false;
    const hear = (said: Said): void => {
      if (isWanted) heard(said);
    };
    const places = this.#places;
    const takeTurn = (): void => {
      isWaiting = false;
      if (asker === 'host') return this.#put(question, hear);
      places.take(asker);
      this.#put(question, (said) => {
        places.giveBack(asker);
        places.serve();
        hear(said);
      });
    };
    if (asker === 'host' || places.lets(asker, clock.now())) {
      takeTurn();
      return () => (isWanted = false);
    }
    const waiter = { account: asker, takeTurn };
    isWaiting = true;
    places.enqueue(waiter);
    return () => {
      isWanted = false;
      if (isWaiting) places.dequeue(waiter);
      isWaiting = false;
    };
  }

  #put({ name, type }: Question, end: (said: Said) => void): void {
    this.#fresh().resolve(name, type, (error, data) => {
      // c-ares says the same if the server refuses and if there is no socket to be had.
      if (error?.code === 'ECONNREFUSED') tellIfExhausted(this.#onError);
      if (error !== null)
        return end({ kind: error.code === 'ENOTFOUND' ? 'nxdomain' : error.code === 'ENODATA' ? 'none' : 'refused' });
      const records = recordsOf(type, data);
      // Of an alias of a name without such records Node gives an empty list, which must not pass for a null MX.
      end(records.length > 0 ? { kind: 'found', records } : { kind: 'none' });
    });
  }

  /**
   * c-ares waits ever longer the slower a server's answers are, minutes in the end. So a resolver serves a second's
   * questions and is then cancelled: no name holds its place for longer, or lengthens another's wait.
   */
  #fresh(): Resolver {
    const now = monotonicMs();
    if (this.#resolver !== null && now - this.#bornAt < this.#timings.newMs) return this.#resolver;
    const resolver = new Resolver(OPTIONS);
    resolver.setServers([this.address]);
    // If this process was busy the answer may be in the socket already: that is read first.
    setTimeout(() => setImmediate(() => resolver.cancel()), this.#timings.endMs).unref();
    this.#bornAt = now;
    return (this.#resolver = resolver);
  }
}

function tellIfExhausted(onError: TellError): void {
  try {
    closeSync(openSync('/dev/null', 'r'));
  } catch (error) {
    if (error instanceof Error) onError(error);
  }
}

function recordsOf(type: Question['type'], data: unknown): DnsRecord[] {
  if (!Array.isArray(data)) return [];
  return data.flatMap((one: unknown): DnsRecord[] => {
    if (typeof one === 'object' && one !== null && 'exchange' in one && 'priority' in one)
      return [{ exchange: String(one.exchange).toLowerCase(), preference: Number(one.priority) }];
    if (type === 'MX') return [];
    return [type === 'PTR' ? String(one).toLowerCase() : String(one)];
  });
}
