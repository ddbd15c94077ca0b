import { connect, type Socket } from 'node:net';
import type { Connection, Dial, DialAnswer, ReadAnswer } from '../engine/ports/ports.ts';

/** Plain TCP behind the engine's port, just enough to try the engine on real sockets. */
export const tcpDial: Dial = (target, cancel) =>
  new Promise<DialAnswer>((resolve) => {
    const socket = connect({ host: target.ip, port: target.port, noDelay: true });
    const settle = (answer: DialAnswer): void => {
      ignore();
      resolve(answer);
    };
    const onAbort = (): void => {
      socket.destroy();
      settle({ kind: 'aborted' });
    };
    const ignore = cancel.on(onAbort);
    socket.once('connect', () => settle({ kind: 'connected', connection: new TcpConnection(socket) }));
    socket.once('error', () => settle({ kind: 'failed' }));
  });

class TcpConnection implements Connection {
  readonly #socket: Socket;
  #end: 'closed' | 'lost' | null = null;
  #wake: (() => void) | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => this.#finish('lost'));
    socket.on('end', () => this.#finish('closed'));
    socket.on('close', () => this.#finish('lost'));
    socket.on('readable', () => this.#wake?.());
  }

  async read(): Promise<ReadAnswer> {
    for (;;) {
      const bytes: unknown = this.#socket.read();
      if (bytes instanceof Uint8Array) return { kind: 'bytes', bytes };
      if (this.#end !== null) return { kind: this.#end };
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  write(text: string): void {
    if (!this.#socket.destroyed) this.#socket.write(text);
  }

  async startTls(): Promise<'failed'> {
    return 'failed';
  }

  end(): void {
    this.#socket.end();
    this.#socket.resume();
    this.#socket.once('close', () => this.#socket.destroy());
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #finish(how: 'closed' | 'lost'): void {
    this.#end ??= how;
    this.#wake?.();
  }
}
