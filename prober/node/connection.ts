import { connect, type Socket } from 'node:net';
import type { SocketError, TellError } from '../base/exhaustion.ts';
import type { Connection, DialTarget, ReadAnswer } from '../engine/ports/ports.ts';

/** The most bytes that one read returns, and that wait here for a read: far more than an honest reply has. */
const CHUNK_BYTES_MAX = 16_384;
/** The most unsent bytes for a peer that does not read: several times the largest pipelined group. */
const UNSENT_BYTES_MAX = 262_144;
/** How long the peer has to say goodbye, or to end its side, after we ended ours. */
const LINGER_MS = 1_000;
/** The end of the reply to QUIT (RFC 5321 §4.2.3): nothing more will come. */
const GOODBYE = /(?:^|\n)221(?: [^\n]*)?\n$/;
/** How much a peer may still send after we ended our side. */
const DISCARD_BYTES_MAX = 65_536;

/** All sockets are read into this one buffer: its contents are taken in the same turn. */
const landing = Buffer.allocUnsafeSlow(CHUNK_BYTES_MAX);

export type Opened = 'connected' | 'closed' | SocketError;

/** Starts to open a TCP connection, which is returned. @param opened called once, unless it is destroyed before */
export function openTcp(target: DialTarget, opened: (how: Opened) => void, tellError?: TellError): Connection {
  const socket = connect({
    host: target.ip,
    port: target.port,
    localAddress: target.from ?? undefined,
    noDelay: true,
    // Only we end our side.
    allowHalfOpen: true,
    // Bytes go straight from the system to us, bypassing the socket's stream and its buffers.
    onread: { buffer: landing, callback: (bytes) => connection.receive(landing.subarray(0, bytes)) },
  });
  const connection = new TcpConnection(socket, opened, tellError);
  return connection;
}

/** One TCP connection, later perhaps with TLS. Without a pending read at most one chunk is taken from the system. */
class TcpConnection implements Connection {
  #socket: Socket;
  /** Null once called: a closed socket that awaits collection must keep nothing else alive. */
  #opened: ((how: Opened) => void) | null;
  readonly #tellError: TellError | undefined;
  #reader: ((answer: ReadAnswer) => void) | null = null;
  #ahead: Buffer | null = null;
  #over: 'closed' | 'lost' | null = null;
  /** From the moment we ended our side. */
  #linger: { readonly timer: NodeJS.Timeout; discardedBytes: number } | null = null;

  constructor(socket: Socket, opened: (how: Opened) => void, tellError: TellError | undefined) {
    this.#socket = socket;
    this.#opened = opened;
    this.#tellError = tellError;
    socket.on('connect', () => this.#open('connected'));
    this.#watch(socket);
  }

  read(done: (answer: ReadAnswer) => void): void {
    if (this.#reader !== null) throw new Error('a connection has one reader at a time');
    const bytes = this.#ahead;
    if (bytes !== null) {
      this.#ahead = null;
      return done({ kind: 'bytes', bytes });
    }
    if (this.#over !== null) return done({ kind: this.#over });
    this.#reader = done;
    this.#socket.resume();
  }

  write(text: string): void {
    const socket = this.#socket;
    if (this.#linger !== null || !socket.writable) return;
    if (socket.writableLength + text.length > UNSENT_BYTES_MAX) this.destroy();
    else socket.write(text);
  }

  async startTls(serverName: string): Promise<'secure' | 'failed'> {
    if (this.#reader !== null) throw new Error('TLS cannot start while a read waits');
    // A seventh of the start's processor time, and most sessions need none.
    const { secure } = await import('./tls.ts');
    if (this.#over !== null) return 'failed';
    // RFC 3207 §6: plain text received earlier, from the peer or from someone on the way, answers nothing.
    this.#ahead = null;
    const socket = await secure(this.#socket, serverName, CHUNK_BYTES_MAX);
    if (socket === 'failed') {
      this.destroy();
      return socket;
    }
    this.#socket = socket;
    this.#watch(socket);
    socket.on('data', (bytes: Buffer) => {
      if (!this.receive(bytes)) socket.pause();
    });
    return 'secure';
  }

  end(): void {
    const socket = this.#socket;
    if (this.#linger !== null || socket.destroyed) return;
    const peerEnded = this.#over === 'closed';
    this.#ahead = null;
    this.#finish('closed');
    this.#linger = { timer: setTimeout(() => socket.destroy(), LINGER_MS).unref(), discardedBytes: 0 };
    socket.unref();
    if (peerEnded) {
      socket.destroySoon();
      return;
    }
    // Closing with unread bytes would reset the connection, and a reset can overtake our last command.
    socket.resume();
  }

  destroy(): void {
    this.#opened = null;
    this.#ahead = null;
    this.#finish('lost');
    this.#socket.destroy();
  }

  /** Bytes arrived. @returns whether more may come before the next read */
  receive(bytes: Buffer): boolean {
    if (this.#linger !== null) {
      this.#linger.discardedBytes += bytes.length;
      if (this.#linger.discardedBytes > DISCARD_BYTES_MAX || GOODBYE.test(bytes.toString('latin1')))
        this.#socket.destroy();
      return true;
    }
    if (this.#reader !== null) {
      this.#answer({ kind: 'bytes', bytes });
      return true;
    }
    this.#ahead = Buffer.from(bytes);
    return false;
  }

  #watch(socket: Socket): void {
    socket.on('error', (error: SocketError) => {
      this.#tellError?.(error);
      this.#open(error);
      this.#finish('lost');
    });
    socket.on('end', () => {
      this.#finish('closed');
      if (this.#linger !== null) socket.destroy();
    });
    socket.on('close', () => {
      this.#open('closed');
      this.#finish('lost');
      if (this.#linger !== null) clearTimeout(this.#linger.timer);
    });
  }

  #open(how: Opened): void {
    const opened = this.#opened;
    this.#opened = null;
    opened?.(how);
  }

  #finish(over: 'closed' | 'lost'): void {
    this.#over ??= over;
    this.#answer({ kind: this.#over });
  }

  #answer(answer: ReadAnswer): void {
    const reader = this.#reader;
    if (reader === null) return;
    this.#reader = null;
    reader(answer);
  }
}
