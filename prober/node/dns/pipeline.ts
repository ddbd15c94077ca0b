import { connect, type Socket } from 'node:net';
import type { TellError } from '../../base/exhaustion.ts';
import { monotonicMs } from '../../base/monotonic.ts';
import { encodeQuestion, type Question, readAnswer, type Said } from './message.ts';

export type ServerAddress = { readonly ip: string; readonly port: number };

/** Called with an answer; null: there will be none over this connection. */
type Heard = (said: Said | null) => void;

/**
 * How a connection ended: without open questions; the server, which had answered before, closed it on open ones; or it
 * never answered, or only one question after the other.
 */
export type PipelineEnd = 'idle' | 'broken' | 'useless';

type Asked = { readonly id: number; readonly question: Question; readonly heard: Heard; readonly atMs: number };

const IDS = 65_536;
const NOTHING = Buffer.alloc(0);
/** How often to check whether a server answers at all, and not one question after the other. */
const LOOK_MS = 250;
/** A question that nobody waits behind, at a server that has answered none, is given up after this time. */
const SILENT_MS = 1_500;

/** One TCP connection to a DNS server, with any number of open questions (RFC 7766), one write per turn of the loop. */
export class Pipeline {
  readonly #socket: Socket;
  readonly #onEnd: (how: PipelineEnd) => void;
  /** Oldest first. An array: a map keeps deleted entries alive in its old table. */
  readonly #asked: Asked[] = [];
  #unsent: Buffer[] = [];
  #unread: Buffer = NOTHING;
  #lastId = 0;
  /** `overtaking`: some answer came before that to an earlier question. */
  #answers: 'none' | 'in_order' | 'overtaking' = 'none';
  #isWatched = false;
  #isGivenUp = false;

  /** @param onEnd called once, before the waiting callers */
  constructor({ ip, port }: ServerAddress, onError: TellError, onEnd: (how: PipelineEnd) => void) {
    this.#onEnd = onEnd;
    this.#socket = connect({ host: ip, port, noDelay: true });
    this.#socket.unref();
    this.#socket.on('data', (chunk) => this.#read(chunk));
    this.#socket.on('error', ({ code }: NodeJS.ErrnoException) => code !== undefined && onError(code));
    this.#socket.once('close', () => this.#ended());
  }

  /** @returns a function that drops the question */
  ask(question: Question, heard: Heard): () => void {
    this.#lastId = (this.#lastId + 1) % IDS;
    const asked = { id: this.#lastId, question, heard, atMs: monotonicMs() };
    this.#asked.push(asked);
    if (!this.#isWatched) this.#watch();
    if (this.#unsent.length === 0) setImmediate(() => this.#socket.write(Buffer.concat(this.#unsent.splice(0))));
    this.#unsent.push(encodeQuestion(question, asked.id));
    return () => {
      const at = this.#asked.indexOf(asked);
      if (at >= 0) this.#asked.splice(at, 1);
    };
  }

  /** Ends a connection that does not open, that never answers, or on which each answer holds up those behind it. */
  #watch(): void {
    this.#isWatched = true;
    const look = (): void => {
      const [oldest, next] = this.#asked;
      this.#isWatched = false;
      if (oldest === undefined) return;
      const waitedMs = monotonicMs() - oldest.atMs;
      const isHeldUp = next !== undefined && this.#answers !== 'overtaking' && waitedMs > LOOK_MS;
      const isUnheard = this.#answers === 'none' && waitedMs > SILENT_MS;
      if (this.#socket.connecting || isHeldUp || isUnheard) {
        this.#isGivenUp = true;
        this.#socket.destroy();
      } else this.#watch();
    };
    // If this process was busy the answer may be in the socket already: that is read first.
    setTimeout(() => setImmediate(look), LOOK_MS).unref();
  }

  #read(chunk: Buffer): void {
    let rest = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    while (rest.length > 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const end = 2 + rest.readUInt16BE(0);
      this.#hear(rest.subarray(2, end));
      rest = end === rest.length ? NOTHING : rest.subarray(end);
    }
    this.#unread = rest;
  }

  #hear(message: Buffer): void {
    const id = message.length < 2 ? -1 : message.readUInt16BE(0);
    const at = this.#asked.findIndex((one) => one.id === id);
    const asked = this.#asked[at];
    if (asked === undefined) return;
    this.#asked.splice(at, 1);
    if (at > 0) this.#answers = 'overtaking';
    else if (this.#answers === 'none') this.#answers = 'in_order';
    asked.heard(readAnswer(message, asked.question));
  }

  #ended(): void {
    const asked = this.#asked.splice(0);
    const isBroken = asked.length > 0 && this.#answers !== 'none' && !this.#isGivenUp;
    this.#onEnd(asked.length === 0 ? 'idle' : isBroken ? 'broken' : 'useless');
    for (const { heard } of asked) heard(null);
  }
}
