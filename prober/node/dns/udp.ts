import { createSocket, type Socket } from 'node:dgram';
import type { Random } from '../../engine/ports/ports.ts';
import type { TellError } from '../../base/exhaustion.ts';
import { answerId, encodeQuestion, readAnswer, type Question, type Read } from './message.ts';

export type ServerAddress = { readonly ip: string; readonly port: number; readonly family: 4 | 6 };

/**
 * Questions unanswered at one socket. Its default buffer on Linux, 212,992 bytes, holds 256 small answers or 166 of 512
 * octets, and the kernel drops the rest: this many, and some that nobody asked for, fit while nothing reads them.
 */
const UNANSWERED_MAX = 64;
/** A socket, and so its port, is used for this many questions and this long, so that a guessed port is soon out of use. */
const QUESTIONS_MAX = 1_000;
const AGE_MS_MAX = 10_000;
const IDS = 65_536;
/** Nobody asked for more than 512: a longer one is not worth reading. */
const DATAGRAM_OCTETS_MAX = 16_384;

type Heard = (read: Read) => void;

/** The UDP side of one DNS server: as many sockets as the questions under way need. */
export class UdpServer {
  readonly #address: ServerAddress;
  readonly #random: Random;
  readonly #onError: TellError;
  #sockets: UdpSocket[] = [];

  constructor(address: ServerAddress, random: Random, onError: TellError) {
    this.#address = address;
    this.#random = random;
    this.#onError = onError;
  }

  /**
   * Sends one question.
   * @param heard called with each answer to it, `refused` when the server's port is closed
   * @returns what ends the listening
   */
  ask(question: Question, heard: Heard): () => void {
    return this.#socket().ask(question, heard);
  }

  #socket(): UdpSocket {
    const now = performance.now();
    let isStale = false;
    for (const socket of this.#sockets)
      if (!socket.isFresh(now)) isStale = true;
      else if (socket.hasRoom) return socket;
    if (isStale) this.#retireStale(now);
    const socket = new UdpSocket({ ...this.#address, onError: this.#onError }, this.#random, now);
    this.#sockets.push(socket);
    return socket;
  }

  #retireStale(now: number): void {
    const stale = this.#sockets.filter((socket) => !socket.isFresh(now));
    this.#sockets = this.#sockets.filter((socket) => socket.isFresh(now));
    for (const socket of stale) socket.retire();
  }
}

type Asked = { readonly question: Question; readonly heard: Heard };

/** One socket, connected so that the kernel lets nobody else's datagrams in. It keeps no process alive. */
class UdpSocket {
  readonly #socket: Socket;
  readonly #random: Random;
  readonly #onError: TellError;
  readonly #bornMs: number;
  readonly #asked = new Map<number, Asked>();
  /** Written before the socket was connected; null from then on. */
  #early: Buffer[] | null = [];
  #questions = 0;
  #retired = false;
  #closed = false;

  constructor(
    { ip, port, family, onError }: ServerAddress & { readonly onError: TellError },
    random: Random,
    now: number,
  ) {
    this.#random = random;
    this.#onError = onError;
    this.#bornMs = now;
    this.#socket = createSocket(family === 4 ? 'udp4' : 'udp6');
    this.#socket.unref();
    this.#socket.on('message', (message) => this.#read(message));
    this.#socket.on('error', (error) => this.#break(error));
    this.#socket.on('connect', () => this.#connected());
    this.#socket.connect(port, ip);
  }

  isFresh(now: number): boolean {
    return !this.#retired && this.#questions < QUESTIONS_MAX && now - this.#bornMs < AGE_MS_MAX;
  }

  get hasRoom(): boolean {
    return this.#asked.size < UNANSWERED_MAX;
  }

  ask(question: Question, heard: Heard): () => void {
    const id = this.#freeId();
    this.#asked.set(id, { question, heard });
    this.#questions += 1;
    const message = encodeQuestion(question, id);
    if (this.#early === null) this.#socket.send(message, this.#sent);
    else this.#early.push(message);
    return () => {
      this.#asked.delete(id);
      if (this.#retired) this.retire();
    };
  }

  /** Closes the socket as soon as nobody waits for an answer. */
  retire(): void {
    this.#retired = true;
    if (this.#asked.size === 0) this.#close();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.close();
  }

  #freeId(): number {
    for (;;) {
      const id = Math.floor(this.#random() * IDS);
      if (!this.#asked.has(id)) return id;
    }
  }

  #connected(): void {
    for (const message of this.#early ?? []) this.#socket.send(message, this.#sent);
    this.#early = null;
  }

  readonly #sent = (error: Error | null): void => {
    if (error !== null) this.#break(error);
  };

  #read(message: Buffer): void {
    const id = answerId(message);
    const asked = id === null ? undefined : this.#asked.get(id);
    if (asked === undefined) return;
    const isLong = message.length > DATAGRAM_OCTETS_MAX;
    const said: Read | null = isLong ? { kind: 'refused' } : readAnswer(message, asked.question);
    if (said !== null) asked.heard(said);
  }

  /** The port is closed, or this machine has no way there: everybody who waits is told, and the next asks anew. */
  #break(error: NodeJS.ErrnoException): void {
    if (this.#closed) return;
    if (error.code !== undefined) this.#onError(error.code);
    const asked = [...this.#asked.values()];
    this.#asked.clear();
    this.#retired = true;
    this.#close();
    for (const { heard } of asked) heard({ kind: 'refused' });
  }
}
