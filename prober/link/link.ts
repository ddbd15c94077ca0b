import { WebSocket } from 'ws';
import {
  type Canary,
  CLOSE,
  LINK_VERSION,
  LINK_VERSION_BEFORE,
  type ProviderRefusal,
  PING,
  PONG,
  type ToEdge,
  type ToHost,
  toHostSchema,
} from '../../schema/link.ts';
import { parseJson } from '../../schema/parse-json.ts';
import type { Clock, Random } from '../engine/ports/ports.ts';
import type { Log } from '../base/log.ts';
import { backoffMs } from './backoff.ts';
import type { Connect } from './connect.ts';
import { type Identity, makeHostToken } from './identity.ts';
import { type Job, type Jobs, SLOTS } from './jobs.ts';
import { type HostObserver, UNOBSERVED } from './observer.ts';
import { Outbox } from './outbox.ts';
import type { LinkTimings } from './timings.ts';
import { claimedJobId, verifyJob } from './verify-job.ts';
import { aheadOf, causeOf, type Ending, explainEnding } from './why-lost.ts';

const v = LINK_VERSION;

/** How the host is, as the edge is told. */
export type HostStatus = {
  readonly draining: boolean;
  readonly healthy: boolean;
  /** Its self-check has proven its resolver and its port 25. */
  readonly checked: boolean;
  /** What its self-check failed at. */
  readonly failing: readonly Canary[];
  readonly jobs: number;
  readonly cooling: number;
  /** Large providers that refuse this host. */
  readonly refusing: number;
  /** Which, and at which egress address. */
  readonly refusals?: readonly ProviderRefusal[];
};

export type LinkDeps = {
  /** As it now is: the edge's keys are learnt anew. */
  readonly identity: () => Identity;
  readonly connect: Connect;
  readonly egress: readonly string[];
  readonly routes: boolean;
  /** Of this program, so that an operator sees what runs where. */
  readonly version?: string;
  readonly jobs: Jobs;
  readonly status: () => HostStatus;
  readonly clock: Clock;
  readonly random: Random;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
  readonly timings: LinkTimings;
  readonly log: Log;
  /** The edge says what it is like. */
  readonly onSettings: (token: string) => Promise<void>;
  /** All that was to be said was handed to the connection. */
  readonly onFlush: () => void;
  /** Dialling in can never succeed as things are. */
  readonly onFatal: (hint: string) => void;
  readonly observer?: HostObserver;
};

type Connection = {
  readonly socket: WebSocket;
  readonly outbox: Outbox;
  readonly openedAt: number;
  /** Of the frames: the edge's welcome says which. */
  version: number;
  heardAt: number;
  /** When the ping went out that was not answered yet; null: there is none. */
  pingedAt: number | null;
  /** Frames are acted on one after the other: a cancel must not overtake its job while that is being proven. */
  turn: Promise<void>;
};

/** What dialling in has shown of how it may end. */
type Attempted = { status: number; cause: string | null; aheadS: number | null };

/** Keeps one WebSocket to one Fleet object: dials in, proves itself, takes jobs, sends what they find, dials in again. */
export class Link {
  readonly #shard: number;
  readonly #deps: LinkDeps;
  readonly #observer: HostObserver;
  #connection: Connection | null = null;
  #dialling: WebSocket | null = null;
  #failures = 0;
  #closed = false;
  #statusDue = false;
  #dropped = 0;
  readonly #said = new WeakSet<Job>();
  readonly #timers = new Set<() => void>();

  constructor(shard: number, deps: LinkDeps) {
    this.#shard = shard;
    this.#deps = deps;
    this.#observer = deps.observer ?? UNOBSERVED;
  }

  /** Nothing is left to be said of any job. */
  get flushed(): boolean {
    if (this.#connection !== null) return this.#connection.outbox.empty;
    return this.#deps.jobs.recent(this.#shard).every((job) => this.#said.has(job));
  }

  /** Dials in, and keeps doing so until `close`. */
  open(): void {
    void this.#dial();
  }

  /** Tells the edge how the host is: at once if it is about taking jobs at all. */
  tellStatus(urgent: boolean): void {
    if (urgent) this.#sendStatus();
    else if (!this.#statusDue) {
      this.#statusDue = true;
      this.#after(this.#deps.timings.statusMs, () => this.#sendStatus());
    }
  }

  /** Ends the link for good, after what was sent. */
  close(): Promise<void> {
    this.#closed = true;
    this.#observer.ended(this.#shard);
    const { socket } = this.#connection ?? {};
    this.#dialling?.terminate();
    for (const cancel of this.#timers) cancel();
    if (socket === undefined) return Promise.resolve();
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
    const { timings, wallClock } = this.#deps;
    const identity = this.#deps.identity();
    const url = new URL(`/link?shard=${this.#shard}`, identity.origin);
    url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
    const token = await makeHostToken(identity, wallClock());
    if (this.#closed) return;
    const socket = this.#deps.connect(url, { authorization: `Bearer ${token}` }, timings.handshakeMs);
    this.#dialling = socket;
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
    socket.on('message', (data, isBinary) =>
      this.#heard(socket, isBinary || !Buffer.isBuffer(data) ? '' : data.toString('utf8')),
    );
    socket.once('close', (code) => this.#lost(socket, { ...ending, code }));
  }

  #opened(socket: WebSocket): void {
    const { jobs, clock, timings, onFlush } = this.#deps;
    this.#dialling = null;
    const now = clock.now();
    const outbox = new Outbox({
      send: (frame) => this.#send(socket, frame),
      clock,
      gatherMs: timings.gatherMs,
      onSaid: (job) => this.#said.add(job),
      onFlush,
    });
    const connection = {
      socket,
      outbox,
      openedAt: now,
      version: LINK_VERSION_BEFORE,
      heardAt: now,
      pingedAt: null,
      turn: Promise.resolve(),
    };
    this.#connection = connection;
    this.#observer.linked(this.#shard);
    const recent = jobs.recent(this.#shard);
    this.#hello(socket, recent);
    this.#sendStatus();
    for (const job of recent) outbox.again(job);
    this.#every(connection, timings.pingMs, () => {
      if (clock.now() - connection.heardAt > timings.silentMs) socket.terminate();
      else this.#ping(connection);
    });
    this.#every(connection, timings.aliveMs, () => outbox.alive(jobs.recent(this.#shard), timings.aliveMs));
  }

  #ping(connection: Connection): void {
    connection.pingedAt ??= this.#deps.clock.now();
    connection.socket.send(PING);
  }

  #ponged(connection: Connection): void {
    if (connection.pingedAt !== null) this.#observer.roundTrip(connection.heardAt - connection.pingedAt);
    connection.pingedAt = null;
  }

  #hello(socket: WebSocket, recent: readonly Job[]): void {
    const { egress, routes, status, version } = this.#deps;
    const identity = this.#deps.identity();
    this.#send(socket, {
      v,
      type: 'hello',
      speaks: LINK_VERSION,
      instance: identity.instance,
      startedAt: identity.startedAt,
      routes,
      egress: [...egress],
      ...(version === undefined ? {} : { version }),
      running: recent.map((job) => job.id),
      healthy: status().healthy,
      slots: SLOTS,
    });
  }

  #lost(socket: WebSocket, ending: Ending): void {
    const { clock, log, onFatal, onFlush, random, timings } = this.#deps;
    const connection = this.#connection?.socket === socket ? this.#connection : null;
    if (connection !== null) {
      connection.outbox.close();
      this.#connection = null;
      if (clock.now() - connection.openedAt >= timings.goodMs) this.#failures = 0;
    }
    if (this.#dialling === socket) this.#dialling = null;
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
    this.#after(waitMs, () => void this.#dial());
  }

  #heard(socket: WebSocket, text: string): void {
    const connection = this.#connection;
    if (connection === null || connection.socket !== socket) return;
    connection.heardAt = this.#deps.clock.now();
    if (text === PONG) return this.#ponged(connection);
    const frame = readFrame(text);
    if (frame !== null) connection.turn = connection.turn.then(() => this.#act(connection, frame));
    else {
      this.#dropped += 1;
      if (Number.isInteger(Math.log2(this.#dropped))) this.#deps.log('frames_dropped', { count: this.#dropped });
    }
  }

  async #act(connection: Connection, frame: ToHost): Promise<void> {
    const { jobs, log, onSettings } = this.#deps;
    const { socket, outbox } = connection;
    switch (frame.type) {
      case 'welcome':
        connection.version = frame.v;
        return log('linked', { shard: this.#shard, draining: frame.draining });
      case 'drain':
        return log('ordered', { shard: this.#shard, draining: frame.draining });
      case 'cancel':
        jobs.cancel(frame.job);
        return;
      case 'settings':
        await onSettings(frame.token);
        return;
      case 'job':
        await this.#onJob(socket, outbox, frame);
    }
  }

  async #onJob(socket: WebSocket, outbox: Outbox, frame: Extract<ToHost, { type: 'job' }>): Promise<void> {
    const { identity, jobs, log, status, wallClock } = this.#deps;
    const proven = await verifyJob(identity(), frame.token, frame.payload, wallClock());
    const refuse = (job: string, why: Extract<ToEdge, { type: 'refuse' }>['why']): void => {
      log('job_refused', { why });
      this.#send(socket, { v, type: 'refuse', job, why });
    };
    if (proven === null) {
      const job = claimedJobId(frame.token);
      if (job === null) log('job_refused', { why: 'token' });
      else refuse(job, 'token');
      return;
    }
    const { draining, healthy } = status();
    if (!jobs.knows(proven.id) && (draining || !healthy)) return refuse(proven.id, draining ? 'draining' : 'unhealthy');
    const taken = jobs.accept(proven, this.#shard, (job) => this.#connection?.outbox.add(job));
    switch (taken.kind) {
      case 'replay':
      case 'busy':
        return refuse(proven.id, taken.kind);
      case 'started':
        return this.#send(socket, { v, type: 'ack', job: proven.id });
      case 'repeated':
        this.#send(socket, { v, type: 'ack', job: proven.id });
        outbox.again(taken.job);
    }
  }

  #sendStatus(): void {
    this.#statusDue = false;
    const socket = this.#connection?.socket;
    const { failing, refusals = [], ...status } = this.#deps.status();
    if (socket !== undefined)
      this.#send(socket, { v, type: 'status', ...status, failing: [...failing], refusals: [...refusals] });
  }

  #send(socket: WebSocket, frame: ToEdge): void {
    const version = this.#connection?.socket === socket ? this.#connection.version : frame.v;
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ ...frame, v: version }));
  }

  #every(connection: Connection, ms: number, run: () => void): void {
    this.#after(ms, () => {
      if (this.#connection !== connection) return;
      run();
      this.#every(connection, ms, run);
    });
  }

  #after(ms: number, run: () => void): void {
    const cancel = this.#deps.clock.after(ms, () => {
      this.#timers.delete(cancel);
      run();
    });
    this.#timers.add(cancel);
  }
}

function readFrame(text: string): ToHost | null {
  const parsed = toHostSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
}
