import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { type Act, greetingOf, reactionTo, type Script, type SessionRecord } from './script.ts';

/** The scripts of `script.ts` over real TCP on loopback. TLS acts are for the memory server only. */
export class TcpServer {
  readonly sessions: SessionRecord[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(script: Script) {
    this.#server = createServer({ noDelay: true }, (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      serve(script, socket, this.#record());
    });
  }

  /** Listens on a free port of 127.0.0.1. */
  static async start(script: Script): Promise<TcpServer> {
    const server = new TcpServer(script);
    await new Promise<void>((resolve) => {
      server.#server.listen(0, '127.0.0.1', resolve);
    });
    return server;
  }

  get port(): number {
    return portOf(this.#server.address());
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #record(): SessionRecord {
    const record = { number: this.sessions.length, from: null, writes: [], lines: [], secure: false, closed: false };
    this.sessions.push(record);
    return record;
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening on TCP');
  return address.port;
}

function serve(script: Script, socket: Socket, record: SessionRecord): void {
  let partial = '';
  let agenda = Promise.resolve();
  const enqueue = (acts: readonly Act[]): void => {
    for (const act of acts) agenda = agenda.then(() => perform(act, socket));
  };
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    record.closed = true;
  });
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    record.writes.push(String(text));
    const lines = (partial + String(text)).split('\r\n');
    partial = lines.pop() ?? '';
    for (const line of lines) {
      record.lines.push(line);
      enqueue(reactionTo(script, line, record));
    }
  });
  enqueue(greetingOf(script, record));
}

async function perform(act: Act, socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  switch (act.do) {
    case 'say':
      socket.write(act.bytes);
      // A piece on its own: the next one waits for the loop, so that TCP seldom joins them.
      if (act.bytes.length === 1) await new Promise((resolve) => setImmediate(resolve));
      return;
    case 'wait':
      await new Promise((resolve) => setTimeout(resolve, act.ms));
      return;
    case 'close':
      socket.end();
      return;
    case 'reset':
      // After end() Node 24 never frees a socket that is reset: a worker thread with one cannot stop.
      if (socket.writableEnded) socket.destroy();
      else socket.resetAndDestroy();
      return;
    case 'tls':
      throw new Error('TLS is scripted in memory only');
  }
}
