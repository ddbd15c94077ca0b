import type { WebSocket } from 'ws';
import { CLOSE } from '../../schema/link.ts';
import type { Random } from '../engine/ports/ports.ts';
import { backoffMs } from './backoff.ts';
import type { Connect } from './connect.ts';
import { Connection, type ConnectionDeps } from './connection.ts';
import { makeHostToken } from './identity.ts';
import type { Job } from './jobs.ts';
import { type HostObserver, UNOBSERVED } from './observer.ts';
import { aheadOf, causeOf, type Ending, explainEnding } from './why-lost.ts';

export type LinkDeps = Omit<ConnectionDeps, 'shard' | 'observer' | 'onNews' | 'onSaid'> & {
  readonly connect: Connect;
  readonly random: Random;
  /** Dialling in can never succeed as things are. */
  readonly onFatal: (hint: string) => void;
  readonly observer?: HostObserver;
};

/** What dialling in has shown of how it may end. */
type Attempted = { status: number; cause: string | null; aheadS: number | null };

/** Keeps one `Connection` to one Fleet object: dials in and proves itself, and dials in again whenever it is lost. */
export class Link {
  readonly #shard: number;
  readonly #deps: LinkDeps;
  readonly #observer: HostObserver;
  #socket: WebSocket | null = null;
  /** Once the socket is open. */
  #connection: Connection | null = null;
  #failures = 0;
  #closed = false;
  #cancelDial: () => void = () => {};
  readonly #said = new WeakSet<Job>();

  constructor(shard: number, deps: LinkDeps) {
    this.#shard = shard;
    this.#deps = deps;
    this.#observer = deps.observer ?? UNOBSERVED;
  }

  /** Nothing is left to be said of any job. */
  get flushed(): boolean {
    if (this.#connection !== null) return this.#connection.isFlushed;
    return this.#deps.jobs.recent(this.#shard).every((job) => this.#said.has(job));
  }

  /** Dials in, and keeps doing so until `close`. */
  open(): void {
    void this.#dial();
  }

  /** Tells the edge how the host is: at once if it is about taking jobs at all. */
  tellStatus(urgent: boolean): void {
    this.#connection?.tellStatus(urgent);
  }

  /** Ends the link for good, after what was sent. */
  close(): Promise<void> {
    this.#closed = true;
    this.#observer.ended(this.#shard);
    this.#cancelDial();
    const socket = this.#socket;
    if (this.#connection === null) socket?.terminate();
    if (this.#connection === null || socket === null) return Promise.resolve();
    return new Promise((resolve) => {
      const forget = this.#deps.clock.after(this.#deps.timings.statusMs, () => socket.terminate());
      socket.once('close', () => {
        forget();
        resolve();
      });
      socket.close(1000, 'drained');
    });
  }

  async #dial(): Promise<void> {
    const { connect, timings, wallClock } = this.#deps;
    const identity = this.#deps.identity();
    const url = new URL(`/link?shard=${this.#shard}`, identity.origin);
    url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
    const token = await makeHostToken(identity, wallClock());
    if (this.#closed) return;
    const socket = connect(url, { authorization: `Bearer ${token}` }, timings.handshakeMs);
    this.#socket = socket;
    const ending: Attempted = { status: 0, cause: null, aheadS: null };
    socket.on('error', (error) => {
      // 'close' follows, and that is where we go on.
      ending.cause ??= causeOf(error);
    });
    socket.on('unexpected-response', (request, response) => {
      ending.status = response.statusCode ?? 0;
      ending.aheadS = aheadOf(response.headers.date, wallClock());
      request.destroy();
      socket.terminate();
    });
    socket.on('upgrade', ({ headers }) => {
      const aheadS = aheadOf(headers.date, wallClock());
      if (aheadS !== null) this.#observer.clockAhead(aheadS);
    });
    socket.on('open', () => this.#opened(socket));
    socket.once('close', (code) => this.#lost({ ...ending, code }));
  }

  #opened(socket: WebSocket): void {
    this.#observer.linked(this.#shard);
    this.#connection = new Connection(socket, {
      ...this.#deps,
      shard: this.#shard,
      observer: this.#observer,
      onNews: (job) => this.#connection?.add(job),
      onSaid: (job) => this.#said.add(job),
    });
    this.#connection.begin();
  }

  #lost(ending: Ending): void {
    const { log, onFatal, onFlush, random, timings } = this.#deps;
    this.#connection?.end();
    if (this.#connection !== null && this.#connection.ageMs >= timings.goodMs) this.#failures = 0;
    this.#connection = null;
    this.#socket = null;
    onFlush();
    if (this.#closed) return;
    const { code, status, cause, aheadS } = ending;
    this.#observer.unlinked(this.#shard, status === 0 ? code : status);
    if (aheadS !== null) this.#observer.clockAhead(aheadS);
    if (code === CLOSE.routes) {
      onFatal('this edge is not a sandbox: unset ROUTE, or enrol with an edge that has SANDBOX=1');
      return;
    }
    this.#failures += 1;
    const { refused, hint } = explainEnding(ending);
    const waitMs = refused
      ? timings.refusedMs / 2 + (random() * timings.refusedMs) / 2
      : backoffMs(this.#failures, random);
    log(refused ? 'link_refused' : 'link_lost', {
      shard: this.#shard,
      code,
      ...(status === 0 ? {} : { status }),
      ...(cause === null ? {} : { cause }),
      ...(aheadS === null ? {} : { aheadS }),
      ...(hint === null ? {} : { hint }),
      againMs: Math.round(waitMs),
    });
    this.#cancelDial = this.#deps.clock.after(waitMs, () => void this.#dial());
  }
}
