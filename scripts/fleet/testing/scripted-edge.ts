import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { createJobSigner } from '../../../edge/fleet/keys/sign-job.ts';
import type { Enrolment } from '../../../schema/enrolment.ts';
import { LINK_VERSION, PING, type ToEdge, toEdgeSchema, type ToHost } from '../../../schema/link.ts';
import { type PrivateJwk, publicHalf } from '../../../schema/jwk.ts';
import { makeEnrolment } from '../../../prober/testing/make-enrolment.ts';
import { makeKey } from '../../../schema/testing/make-key.ts';

const v = LINK_VERSION;

/** One connection of a host, as the edge sees it. */
export class ScriptedLink {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly frames: ToEdge[] = [];
  pings = 0;
  closed = false;
  #woken: Array<() => void> = [];

  constructor(socket: WebSocket, request: IncomingMessage) {
    this.socket = socket;
    this.request = request;
    socket.on('message', (data) => {
      const text = Buffer.isBuffer(data) ? data.toString('utf8') : '';
      if (text === PING) this.pings += 1;
      else this.frames.push(toEdgeSchema.parse(JSON.parse(text)));
      this.#wake();
    });
    socket.on('close', () => {
      this.closed = true;
      this.#wake();
    });
  }

  send(frame: ToHost): void {
    this.socket.send(JSON.stringify(frame));
  }

  /** Waits for a frame of this type, after those already taken by number. */
  async frame<T extends ToEdge['type']>(type: T, n = 0): Promise<Extract<ToEdge, { type: T }>> {
    for (;;) {
      const frame = this.of(type)[n];
      if (frame !== undefined) return frame;
      await this.change();
    }
  }

  of<T extends ToEdge['type']>(type: T): Array<Extract<ToEdge, { type: T }>> {
    return this.frames.filter((frame): frame is Extract<ToEdge, { type: T }> => frame.type === type);
  }

  /** Waits until something was received or the link has closed. */
  change(): Promise<void> {
    if (this.closed) throw new Error('the link has closed');
    return new Promise((resolve) => this.#woken.push(resolve));
  }

  async gone(): Promise<void> {
    while (!this.closed) await this.change();
  }

  #wake(): void {
    for (const wake of this.#woken.splice(0)) wake();
  }
}

/** An edge of one shard on loopback whose every word the test says. */
export class ScriptedEdge {
  readonly links: ScriptedLink[] = [];
  readonly enrolment: Enrolment;
  /** Upgrades are answered with this status instead, while it is set. */
  refuseWith: number | null = null;
  refused = 0;
  readonly #server: Server;
  /** What it signs jobs with. */
  readonly key: PrivateJwk;
  readonly #sockets = new WebSocketServer({ noServer: true });
  #woken: Array<() => void> = [];

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.key = makeKey();
    this.enrolment = {
      ...makeEnrolment('probe-1', `http://127.0.0.1:${port}`),
      edgeKeys: [publicHalf(this.key)],
    };
    server.on('upgrade', (request, socket, head) => {
      if (this.refuseWith !== null) {
        this.refused += 1;
        // The host hangs up as soon as it has read the status.
        socket.on('error', () => {});
        socket.end(
          `HTTP/1.1 ${this.refuseWith} Refused\r\nDate: ${new Date().toUTCString()}\r\nContent-Length: 0\r\n\r\n`,
        );
        this.#wake();
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (open) => {
        this.links.push(new ScriptedLink(open, request));
        this.#wake();
      });
    });
  }

  static async start(): Promise<ScriptedEdge> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedEdge(server, portOf(server.address()));
  }

  /** Connection number `n`, as soon as it is here. */
  async link(n = 0): Promise<ScriptedLink> {
    for (;;) {
      const link = this.links[n];
      if (link !== undefined) return link;
      await this.#change();
    }
  }

  async refusals(n: number): Promise<void> {
    while (this.refused < n) await this.#change();
  }

  /** A job frame as the edge makes it, for the process that said this hello. */
  async job(
    jobId: string,
    instance: string,
    addresses: ReadonlyArray<readonly [string, string]>,
    remainingMs = 60_000,
    key: PrivateJwk = this.key,
  ): Promise<ToHost> {
    const payload = JSON.stringify({ addresses });
    const to = { host: this.enrolment.host, instance, egress: [] };
    const sign = createJobSigner(JSON.stringify(key));
    return {
      v,
      type: 'job',
      token: await sign({ jobId, to, remainingMs, account: 0, payload }, Date.now()),
      payload,
    };
  }

  async stop(): Promise<void> {
    for (const { socket } of this.links) socket.terminate();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#woken.push(resolve));
  }

  #wake(): void {
    for (const wake of this.#woken.splice(0)) wake();
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}
