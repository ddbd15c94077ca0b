import type { Random } from '../../engine/ports/ports.ts';
import type { TellError } from '../../base/exhaustion.ts';
import type { DnsRecord, Question, Said } from './message.ts';
import { askOverTcp } from './tcp.ts';
import { UdpServer, type ServerAddress } from './udp.ts';

/** What one look-up gave. */
export type LookUpResult =
  | { readonly kind: 'found'; readonly records: readonly DnsRecord[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'nxdomain' }
  /** Every server refused to say, none said anything in time, or the signal fired. */
  | { readonly kind: 'failed' };

export type LookUpTimings = {
  /**
   * A question is sent again after this time, to the next server or to the only one, since its answer may be lost. Answers to
   * the questions before still count, so that a slow server is heard as well as a lossy one.
   */
  readonly againMs: number;
  /** A look-up ends then, no matter what the servers do. */
  readonly endMs: number;
};

const TIMINGS: LookUpTimings = { againMs: 500, endMs: 5_000 };

/** One DNS server, over UDP, and over TCP if an answer is cut. */
export class DnsServer {
  readonly address: ServerAddress;
  readonly #udp: UdpServer;
  readonly #random: Random;
  readonly #onError: TellError;

  /** @param onError is told the system's name of an error that a socket met */
  constructor(address: ServerAddress, random: Random, onError: TellError = () => {}) {
    this.address = address;
    this.#udp = new UdpServer(address, random, onError);
    this.#random = random;
    this.#onError = onError;
  }

  /** Asks once. */
  ask(question: Question, heard: (said: Said) => void): Asking {
    let isOverTcp = false;
    let stop = this.#udp.ask(question, (said) => {
      stop();
      if (said.kind !== 'truncated') return heard(said);
      isOverTcp = true;
      stop = askOverTcp({ ...this.address, onError: this.#onError }, question, this.#random, heard);
    });
    return { server: this, isOverTcp: () => isOverTcp, stop: () => stop() };
  }
}

type Asking = {
  readonly server: DnsServer;
  /** The answer was cut and is read from a connection, which loses nothing: there is no need to ask again. */
  readonly isOverTcp: () => boolean;
  /** Nothing is heard from then on. */
  readonly stop: () => void;
};

/**
 * Asks servers about one question until one has an answer: the first at once, the next if one refuses to say or is
 * silent. That a name does not exist is an answer.
 * @param servers in order
 * @param signal ends the look-up: its timer, and what waits for answers
 */
export function lookUp(
  servers: readonly DnsServer[],
  question: Question,
  signal: AbortSignal,
  timings: LookUpTimings = TIMINGS,
): Promise<LookUpResult> {
  if (signal.aborted || servers.length === 0) return Promise.resolve({ kind: 'failed' });
  return new Promise((resolve) => new LookUp({ servers, question, signal, timings, resolve }).start());
}

type LookUpTask = {
  readonly servers: readonly DnsServer[];
  readonly question: Question;
  readonly signal: AbortSignal;
  readonly timings: LookUpTimings;
  readonly resolve: (answer: LookUpResult) => void;
};

class LookUp {
  readonly #task: LookUpTask;
  /** Servers that may still be asked: one that refused is not asked again. */
  #willing: readonly DnsServer[];
  #next = 0;
  readonly #askings: Asking[] = [];
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(task: LookUpTask) {
    this.#task = task;
    this.#willing = task.servers;
  }

  start(): void {
    this.#task.signal.addEventListener('abort', this.#giveUp);
    this.#ask();
    this.#wait(0);
  }

  #ask(): void {
    const askable = this.#willing.filter(
      (one) => !this.#askings.some((asking) => asking.server === one && asking.isOverTcp()),
    );
    const server = askable[this.#next % askable.length];
    if (server === undefined) return;
    this.#next += 1;
    this.#askings.push(server.ask(this.#task.question, (said) => this.#hear(server, said)));
  }

  #hear(server: DnsServer, said: Said): void {
    if (this.#ended) return;
    if (said.kind !== 'refused') return this.#end(said);
    this.#willing = this.#willing.filter((other) => other !== server);
    this.#next = 0;
    if (this.#willing.length === 0) this.#giveUp();
    else this.#ask();
  }

  #wait(elapsedMs: number): void {
    const { againMs, endMs } = this.#task.timings;
    const stepMs = Math.min(againMs, endMs - elapsedMs);
    const due = (): void => {
      if (this.#ended) return;
      if (elapsedMs + stepMs >= endMs) return this.#giveUp();
      this.#ask();
      this.#wait(elapsedMs + stepMs);
    };
    // If this process was busy the answer may lie in the socket already: that is read first.
    this.#timer = setTimeout(() => setImmediate(due), stepMs);
  }

  readonly #giveUp = (): void => this.#end({ kind: 'failed' });

  #end(answer: LookUpResult): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#task.signal.removeEventListener('abort', this.#giveUp);
    for (const { stop } of this.#askings) stop();
    this.#task.resolve(answer);
  }
}
