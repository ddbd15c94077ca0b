import { WebSocket } from 'ws';
import {
  CLOSE,
  type HostStatus,
  LINK_VERSION,
  PING,
  PONG,
  SLOTS_MAX,
  type ToEdge,
  type ToHost,
  toHostSchema,
} from '../../schema/link.ts';
import { parseJson } from '../../schema/parse-json.ts';
import type { Log } from '../base/log.ts';
import type { Clock, Random } from '../engine/ports/ports.ts';
import { backoffMs } from './backoff.ts';
import { type Connect, dialIn } from './connect.ts';
import { type Identity, makeHostToken } from './identity.ts';
import type { Jobs } from './jobs.ts';
import { Outbox } from './outbox.ts';
import type { LinkTimings } from './timings.ts';
import { claimedJobId, verifyJob } from './verify-job.ts';
import { type Ending, explainEnding } from './why-lost.ts';

const v = LINK_VERSION;

/** What all links of a host share. */
export type LinkDeps = {
  readonly connect: Connect;
  /** The current one: the edge's keys are learnt again. */
  readonly identity: () => Identity;
  readonly egress: readonly string[];
  readonly routes: boolean;
  /** The version of this program, so that an operator sees what runs where. */
  readonly version: string;
  readonly jobs: Jobs;
  readonly status: () => HostStatus;
  readonly clock: Clock;
  readonly random: Random;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
  readonly timings: LinkTimings;
  readonly log: Log;
  /** The edge sent its settings. */
  readonly onSettings: (token: string) => Promise<void>;
  /** Dialling in can never succeed as things are. */
  readonly onFatal: (hint: string) => void;
  readonly onBug: (error: unknown) => void;
};

type Standing = {
  readonly socket: WebSocket;
  readonly outbox: Outbox;
  readonly openedAt: number;
  /** Frames are handled one after the other: a cancel must not overtake its job while that is being verified. */
  turn: Promise<void>;
  heardAt: number;
  statusDue: boolean;
  dropped: number;
};

/** The link to one Fleet object, over one WebSocket: dials in again whenever it is lost, takes jobs, sends results. */
export class Link {
  readonly #shard: number;
  readonly #deps: LinkDeps;
  #socket: WebSocket | null = null;
  #standing: Standing | null = null;
  #failures = 0;
  #closed = false;
  #cancelDial: () => void = () => {};
  /** What brings this machine's time, less its clock, to how far it is ahead of the edge's; null until the edge has answered. */
  #lagMs: number | null = null;

  constructor(shard: number, deps: LinkDeps) {
    this.#shard = shard;
    this.#deps = deps;
  }

  get isUp(): boolean {
    return this.#standing !== null;
  }

  /**
   * How many seconds this machine's clock is ahead of the edge's; null until the edge has answered. The edge tells its time
   * when a link is opened; if ours jumps after that, the monotonic clock does not.
   */
  get aheadS(): number | null {
    return this.#lagMs === null ? null : Math.round((this.#jumpMs() + this.#lagMs) / 1000);
  }

  /** Everything about all jobs was sent. Without a connection, recently ended ones may have something left. */
  get flushed(): boolean {
    return this.#standing?.outbox.empty ?? this.#deps.jobs.recent(this.#shard).length === 0;
  }

  /** Dials in, and keeps doing so until `close`. */
  open(): void {
    void this.#dial();
  }

  /** Reports the host's status to the edge: at once if it is about taking jobs at all. */
  tellStatus(urgent: boolean): void {
    const standing = this.#standing;
    if (standing === null || (standing.statusDue && !urgent)) return;
    if (urgent) return this.#sendStatus(standing);
    standing.statusDue = true;
    this.#after(this.#deps.timings.statusMs, standing, () => this.#sendStatus(standing));
  }

  /** Ends the link for good, after everything queued was sent. */
  close(): Promise<void> {
    const { clock, timings } = this.#deps;
    this.#closed = true;
    this.#cancelDial();
    const socket = this.#socket;
    if (socket === null) return Promise.resolve();
    return new Promise((resolve) => {
      socket.once('close', () => resolve());
      clock.after(timings.statusMs, () => socket.terminate());
      socket.close(1000, 'drained');
    });
  }

  async #dial(): Promise<void> {
    const { identity, timings, wallClock } = this.#deps;
    const host = identity();
    const token = await makeHostToken(host, wallClock());
    if (this.#closed) return;
    const on = { ...this.#deps, handshakeMs: timings.handshakeMs };
    this.#socket = dialIn({ origin: host.origin, shard: this.#shard, token }, on, {
      opened: (socket) => this.#opened(socket),
      clockAhead: (seconds) => (this.#lagMs = seconds * 1000 - this.#jumpMs()),
      closed: (ending) => this.#lost(ending),
    });
  }

  #jumpMs(): number {
    return this.#deps.wallClock() - this.#deps.clock.now();
  }

  /** Says hello, and repeats what the edge may still be waiting for. */
  #opened(socket: WebSocket): void {
    const { clock, egress, identity, jobs, routes, status, timings, version } = this.#deps;
    const now = clock.now();
    const outbox = new Outbox({ send: (frame) => send(socket, frame), clock, gatherMs: timings.gatherMs });
    const turn = Promise.resolve();
    const standing: Standing = { socket, outbox, openedAt: now, turn, heardAt: now, statusDue: false, dropped: 0 };
    this.#standing = standing;
    socket.on('message', (data, isBinary) =>
      this.#heard(standing, isBinary || !Buffer.isBuffer(data) ? '' : data.toString('utf8')),
    );
    const { instance, startedAt } = identity();
    const recent = jobs.recent(this.#shard);
    send(socket, {
      v,
      type: 'hello',
      instance,
      startedAt,
      routes,
      egress: [...egress],
      version,
      running: recent.map((job) => job.id),
      healthy: status().healthy,
      slots: SLOTS_MAX,
    });
    this.#sendStatus(standing);
    for (const job of recent) outbox.again(job);
    this.#every(timings.pingMs, standing, () => {
      if (clock.now() - standing.heardAt > timings.silentMs) socket.terminate();
      else socket.send(PING);
    });
    this.#every(timings.aliveMs, standing, () => outbox.alive(jobs.recent(this.#shard), timings.aliveMs));
  }

  #lost(ending: Ending): void {
    const { clock, log, onFatal, random, timings } = this.#deps;
    const standing = this.#standing;
    this.#standing = null;
    this.#socket = null;
    if (standing !== null && clock.now() - standing.openedAt >= timings.goodMs) this.#failures = 0;
    if (this.#closed) return;
    const { code, status, cause, aheadS } = ending;
    if (code === CLOSE.routes)
      return onFatal('this edge is not a sandbox: unset ROUTE, or enrol with an edge that has SANDBOX=1');
    this.#failures += 1;
    const { refused, hint } = explainEnding(ending);
    const { refusedMs } = timings;
    const waitMs = refused ? refusedMs / 2 + (random() * refusedMs) / 2 : backoffMs(this.#failures, random);
    log(refused ? 'link_refused' : 'link_lost', {
      shard: this.#shard,
      code,
      status: status === 0 ? undefined : status,
      cause: cause ?? undefined,
      aheadS: aheadS ?? undefined,
      hint: hint ?? undefined,
      againMs: Math.round(waitMs),
    });
    this.#cancelDial = clock.after(waitMs, () => void this.#dial());
  }

  #heard(standing: Standing, text: string): void {
    const { clock, log, onBug } = this.#deps;
    standing.heardAt = clock.now();
    if (text === PONG) return;
    const frame = toHostSchema.safeParse(parseJson(text));
    if (frame.success) standing.turn = standing.turn.then(() => this.#act(standing, frame.data)).catch(onBug);
    else {
      standing.dropped += 1;
      if (Number.isInteger(Math.log2(standing.dropped))) log('frames_dropped', { count: standing.dropped });
    }
  }

  async #act(standing: Standing, frame: ToHost): Promise<void> {
    const { jobs, log, onSettings } = this.#deps;
    switch (frame.type) {
      case 'welcome':
        return log('linked', { shard: this.#shard, draining: frame.draining });
      case 'drain':
        return log('ordered', { shard: this.#shard, draining: frame.draining });
      case 'cancel':
        return jobs.cancel(frame.job);
      case 'settings':
        return onSettings(frame.token);
      case 'job':
        return this.#onJob(standing, frame);
    }
  }

  async #onJob({ socket }: Standing, frame: Extract<ToHost, { type: 'job' }>): Promise<void> {
    const { identity, jobs, log, status, wallClock } = this.#deps;
    const proven = await verifyJob(identity(), frame.token, frame.payload, wallClock());
    const refuse = (job: string | null, why: Extract<ToEdge, { type: 'refuse' }>['why']): void => {
      log('job_refused', { why });
      if (job !== null) send(socket, { v, type: 'refuse', job, why });
    };
    if (proven === null) return refuse(claimedJobId(frame.token), 'token');
    const { draining, healthy } = status();
    if (!jobs.knows(proven.id) && (draining || !healthy)) return refuse(proven.id, draining ? 'draining' : 'unhealthy');
    // Its news may come when this connection is gone and another one is open.
    const taken = jobs.accept(proven, this.#shard, (job) => this.#standing?.outbox.add(job));
    if (taken.kind === 'replay' || taken.kind === 'busy') return refuse(proven.id, taken.kind);
    send(socket, { v, type: 'ack', job: proven.id });
    if (taken.kind === 'repeated') this.#standing?.outbox.again(taken.job);
  }

  #sendStatus(standing: Standing): void {
    standing.statusDue = false;
    send(standing.socket, { v, type: 'status', ...this.#deps.status() });
  }

  #every(ms: number, standing: Standing, run: () => void): void {
    this.#after(ms, standing, () => {
      this.#every(ms, standing, run);
      run();
    });
  }

  /** Not if the connection is gone by then. */
  #after(ms: number, standing: Standing, run: () => void): void {
    this.#deps.clock.after(ms, () => {
      if (this.#standing === standing) run();
    });
  }
}

function send(socket: WebSocket, frame: ToEdge): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
}
