import type { Ends } from '../../engine/ports/cancel.ts';
import { monotonicMs } from '../../base/monotonic.ts';
import type { TellError } from '../../base/exhaustion.ts';
import { Cares } from './cares.ts';
import type { Question, Said } from './message.ts';
import { Pipeline, type ServerAddress } from './pipeline.ts';

/** The result of one lookup. `failed`: every server refused, none answered in time, or the signal fired. */
export type LookUpResult = Exclude<Said, { readonly kind: 'refused' }> | { readonly kind: 'failed' };

/**
 * `nextMs`: after this time the next server is asked too. `endMs`: a lookup ends then, no matter what the servers do.
 */
const TIMINGS = { nextMs: 500, endMs: 5_000 };
export const FAILED: LookUpResult = { kind: 'failed' };
/** If one connection is no use, c-ares is used for this long. */
const CARES_MS = 600_000;
const BROKEN_AGAIN_MS = 60_000;

/**
 * One DNS server: over one TCP connection, or through c-ares if that is refused or answers one question after the
 * other.
 */
export class DnsServer {
  readonly address: ServerAddress;
  readonly #onError: TellError;
  #pipeline: Pipeline | null = null;
  #cares: Cares | null = null;
  #caresUntil = Number.NEGATIVE_INFINITY;
  #brokenAt = Number.NEGATIVE_INFINITY;

  /** @param onError called with the system's name of a socket error */
  constructor(address: ServerAddress, onError: TellError = () => {}) {
    this.address = address;
    this.#onError = onError;
  }

  /** @param heard called with null if it is to be asked again. @returns a function that stops waiting */
  ask(question: Question, heard: (said: Said | null) => void): () => void {
    if (monotonicMs() < this.#caresUntil) return (this.#cares ??= new Cares(this.address)).ask(question, heard);
    return (this.#pipeline ??= this.#connect()).ask(question, heard);
  }

  #connect(): Pipeline {
    return new Pipeline(this.address, this.#onError, (how) => {
      const now = monotonicMs();
      this.#pipeline = null;
      // A server may close a connection just as we ask, but not again and again.
      if (how === 'useless' || (how === 'broken' && now - this.#brokenAt < BROKEN_AGAIN_MS))
        this.#caresUntil = now + CARES_MS;
      if (how === 'broken') this.#brokenAt = now;
    });
  }
}

/**
 * Asks servers one question until one has an answer: the first at once, the next if one refuses or is silent. "No such
 * name" is an answer.
 * @param signal ends the lookup
 * @param done called once
 */
export function lookUp(
  servers: readonly DnsServer[],
  question: Question,
  signal: Ends,
  done: (result: LookUpResult) => void,
  { nextMs, endMs } = TIMINGS,
): void {
  if (signal.aborted || servers.length === 0) return done(FAILED);
  let stops: (() => void)[] = [];
  let asked = 0;
  let refused = 0;
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;
  const end = (result: LookUpResult): void => {
    if (isOver) return;
    isOver = true;
    if (timer !== null) clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    for (const stop of stops) stop();
    done(result);
  };
  const giveUp = (): void => end(FAILED);
  const ask = (server: DnsServer | undefined): void => {
    if (server === undefined) return;
    const stop = server.ask(question, (said) => {
      if (said === null) return ask(server);
      if (said.kind !== 'refused') return end(said);
      refused += 1;
      if (refused === servers.length) giveUp();
      else if (refused === asked) ask(servers[asked++]);
    });
    stops = [...stops, stop];
  };
  const goOn = (elapsedMs: number): void => {
    if (isOver) return;
    if (elapsedMs >= endMs) return giveUp();
    ask(servers[asked++]);
    const untilMs = asked < servers.length ? Math.min(endMs, elapsedMs + nextMs) : endMs;
    // If this process was busy the answer may be in the socket already: that is read first.
    timer = setTimeout(() => setImmediate(goOn, untilMs), untilMs - elapsedMs);
  };
  signal.addEventListener('abort', giveUp);
  goOn(0);
}
