import { connect, type Socket } from 'node:net';
import type { TellError } from '../../base/exhaustion.ts';
import { encodeQuestion, type Question, readAnswer, type Said } from './message.ts';

export type ServerAddress = { readonly ip: string; readonly port: number };

/** Called with an answer; null: there will be none over this connection. */
type Heard = (said: Said | null) => void;

/**
 * How a connection ended: without open questions; the server, which had answered before, closed it on open ones; or it
 * never answered, or only one question after the other.
 */
export type PipelineEnd = 'idle' | 'broken' | 'useless';

type Asked = { readonly id: number; readonly question: Question; readonly heard: Heard };

const IDS = 65_536;
/** How often to check whether a server answers at all, and not one question after the other. */
const LOOK_MS = 250;

/** One TCP connection to a DNS server, with any number of open questions (RFC 7766), one write per turn of the loop. */
export class Pipeline {
  readonly #socket: Socket;
  readonly #onEnd: (how: PipelineEnd) => void;
  /** Oldest first. An array: a map keeps deleted entries alive in its old table. */
  readonly #asked: Asked[] = [];
  #unsent: Buffer[] = [];
  #unread: Buffer = Buffer.alloc(0);
  #lastId = 0;
  #answers = 0;
  /** An answer came before that to an earlier question. */
  #overtook = false;
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
    const asked = { id: this.#lastId, question, heard };
    if (this.#asked.push(asked) === 1) this.#watch(this.#answers, 1);
    if (this.#unsent.length === 0) setImmediate(() => this.#socket.write(Buffer.concat(this.#unsent.splice(0))));
    this.#unsent.push(encodeQuestion(question, asked.id));
    return () => {
      const at = this.#asked.indexOf(asked);
      if (at >= 0) this.#asked.splice(at, 1);
    };
  }

  /** Ends a connection that does not open, or on which one slow answer holds up all others. */
  #watch(answersBefore: number, waitedBefore: number): void {
    const look = (): void => {
      if (this.#asked.length === 0) return;
      const isStalled = waitedBefore > 1 && this.#asked.length > 1 && this.#answers === answersBefore;
      if (!this.#socket.connecting && (!isStalled || this.#overtook))
        return this.#watch(this.#answers, this.#asked.length);
      this.#isGivenUp = true;
      this.#socket.destroy();
    };
    // If this process was busy the answer may be in the socket already: that is read first.
    setTimeout(() => setImmediate(look), LOOK_MS).unref();
  }

  #read(chunk: Buffer): void {
    let rest = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    while (rest.length > 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const end = 2 + rest.readUInt16BE(0);
      this.#hear(rest.subarray(2, end));
      rest = rest.subarray(end);
    }
    this.#unread = rest;
  }

  #hear(message: Buffer): void {
    const id = message.length < 2 ? -1 : message.readUInt16BE(0);
    const at = this.#asked.findIndex((one) => one.id === id);
    this.#overtook ||= at > 0;
    for (const { question, heard } of at < 0 ? [] : this.#asked.splice(at, 1)) {
      this.#answers += 1;
      heard(readAnswer(message, question));
    }
  }

  #ended(): void {
    const asked = this.#asked.splice(0);
    const isBroken = asked.length > 0 && this.#answers > 0 && !this.#isGivenUp;
    this.#onEnd(asked.length === 0 ? 'idle' : isBroken ? 'broken' : 'useless');
    for (const { heard } of asked) heard(null);
  }
}
