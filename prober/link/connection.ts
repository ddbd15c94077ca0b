import { WebSocket } from 'ws';
import {
  LINK_VERSION,
  LINK_VERSION_BEFORE,
  PING,
  PONG,
  type ToEdge,
  type ToHost,
  toHostSchema,
} from '../../schema/link.ts';
import { parseJson } from '../../schema/parse-json.ts';
import type { Log } from '../base/log.ts';
import type { Clock } from '../engine/ports/ports.ts';
import type { HostStatus } from './host-status.ts';
import type { Identity } from './identity.ts';
import { type Job, type Jobs, SLOTS } from './jobs.ts';
import type { HostObserver } from './observer.ts';
import { Outbox } from './outbox.ts';
import type { LinkTimings } from './timings.ts';
import { claimedJobId, verifyJob } from './verify-job.ts';

const v = LINK_VERSION;

export type ConnectionDeps = {
  readonly shard: number;
  /** As it now is: the edge's keys are learnt anew. */
  readonly identity: () => Identity;
  readonly egress: readonly string[];
  readonly routes: boolean;
  /** Of this program, so that an operator sees what runs where. */
  readonly version?: string;
  readonly jobs: Jobs;
  readonly status: () => HostStatus;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
  readonly timings: LinkTimings;
  readonly log: Log;
  readonly observer: HostObserver;
  /** The edge says what it is like. */
  readonly onSettings: (token: string) => Promise<void>;
  /** There is news of a job that was taken here: it may outlive this connection. */
  readonly onNews: (job: Job) => void;
  /** All of an ended job was sent. */
  readonly onSaid: (job: Job) => void;
  /** All that was to be said was handed to the connection. */
  readonly onFlush: () => void;
};

/** One WebSocket to a Fleet object that stands: says who the host is, takes jobs, sends what they find. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #deps: ConnectionDeps;
  readonly #outbox: Outbox;
  readonly #openedAt: number;
  readonly #timers = new Set<() => void>();
  /** Of the frames: the edge's welcome says which. */
  #version = LINK_VERSION_BEFORE;
  #heardAt: number;
  /** When the ping went out that was not answered yet; null: there is none. */
  #pingedAt: number | null = null;
  /** Frames are acted on one after the other: a cancel must not overtake its job while that is being proven. */
  #turn = Promise.resolve();
  #statusDue = false;
  #dropped = 0;

  constructor(socket: WebSocket, deps: ConnectionDeps) {
    const { clock, onFlush, onSaid, timings } = deps;
    this.#socket = socket;
    this.#deps = deps;
    this.#openedAt = clock.now();
    this.#heardAt = this.#openedAt;
    this.#outbox = new Outbox({
      send: (frame) => this.#send(frame),
      clock,
      gatherMs: timings.gatherMs,
      onSaid,
      onFlush,
    });
    socket.on('message', (data, isBinary) =>
      this.#heard(isBinary || !Buffer.isBuffer(data) ? '' : data.toString('utf8')),
    );
  }

  /** All that was to be said was sent. */
  get isFlushed(): boolean {
    return this.#outbox.empty;
  }

  /** Milliseconds that it has stood. */
  get ageMs(): number {
    return this.#deps.clock.now() - this.#openedAt;
  }

  /** Says hello, and again what the edge may still wait for. */
  begin(): void {
    const { clock, egress, identity, jobs, routes, shard, status, timings, version } = this.#deps;
    const { instance, startedAt } = identity();
    const recent = jobs.recent(shard);
    this.#send({
      v,
      type: 'hello',
      speaks: LINK_VERSION,
      instance,
      startedAt,
      routes,
      egress: [...egress],
      ...(version === undefined ? {} : { version }),
      running: recent.map((job) => job.id),
      healthy: status().healthy,
      slots: SLOTS,
    });
    this.#sendStatus();
    for (const job of recent) this.#outbox.again(job);
    this.#every(timings.pingMs, () => {
      if (clock.now() - this.#heardAt > timings.silentMs) this.#socket.terminate();
      else this.#ping();
    });
    this.#every(timings.aliveMs, () => this.#outbox.alive(jobs.recent(shard), timings.aliveMs));
  }

  /** Sends news of a job. */
  add(job: Job): void {
    this.#outbox.add(job);
  }

  /** Tells the edge how the host is: at once if it is about taking jobs at all. */
  tellStatus(urgent: boolean): void {
    if (urgent) this.#sendStatus();
    else if (!this.#statusDue) {
      this.#statusDue = true;
      this.#after(this.#deps.timings.statusMs, () => this.#sendStatus());
    }
  }

  /** The socket is closed, or about to be. */
  end(): void {
    this.#outbox.close();
    for (const cancel of this.#timers) cancel();
  }

  #ping(): void {
    this.#pingedAt ??= this.#deps.clock.now();
    this.#socket.send(PING);
  }

  #heard(text: string): void {
    const { clock, log, observer } = this.#deps;
    this.#heardAt = clock.now();
    if (text === PONG) {
      if (this.#pingedAt !== null) observer.roundTrip(this.#heardAt - this.#pingedAt);
      this.#pingedAt = null;
      return;
    }
    const frame = toHostSchema.safeParse(parseJson(text));
    if (frame.success) this.#turn = this.#turn.then(() => this.#act(frame.data));
    else {
      this.#dropped += 1;
      if (Number.isInteger(Math.log2(this.#dropped))) log('frames_dropped', { count: this.#dropped });
    }
  }

  async #act(frame: ToHost): Promise<void> {
    const { jobs, log, onSettings, shard } = this.#deps;
    switch (frame.type) {
      case 'welcome':
        this.#version = frame.v;
        return log('linked', { shard, draining: frame.draining });
      case 'drain':
        return log('ordered', { shard, draining: frame.draining });
      case 'cancel':
        return jobs.cancel(frame.job);
      case 'settings':
        return onSettings(frame.token);
      case 'job':
        return this.#onJob(frame);
    }
  }

  async #onJob(frame: Extract<ToHost, { type: 'job' }>): Promise<void> {
    const { identity, jobs, log, onNews, shard, status, wallClock } = this.#deps;
    const proven = await verifyJob(identity(), frame.token, frame.payload, wallClock());
    const refuse = (job: string | null, why: Extract<ToEdge, { type: 'refuse' }>['why']): void => {
      log('job_refused', { why });
      if (job !== null) this.#send({ v, type: 'refuse', job, why });
    };
    if (proven === null) return refuse(claimedJobId(frame.token), 'token');
    const { draining, healthy } = status();
    if (!jobs.knows(proven.id) && (draining || !healthy)) return refuse(proven.id, draining ? 'draining' : 'unhealthy');
    const taken = jobs.accept(proven, shard, onNews);
    if (taken.kind === 'replay' || taken.kind === 'busy') return refuse(proven.id, taken.kind);
    this.#send({ v, type: 'ack', job: proven.id });
    if (taken.kind === 'repeated') this.#outbox.again(taken.job);
  }

  #sendStatus(): void {
    this.#statusDue = false;
    const { failing, refusals = [], ...status } = this.#deps.status();
    this.#send({ v, type: 'status', ...status, failing: [...failing], refusals: [...refusals] });
  }

  #send(frame: ToEdge): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ ...frame, v: this.#version }));
  }

  #every(ms: number, run: () => void): void {
    this.#after(ms, () => {
      this.#every(ms, run);
      run();
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
