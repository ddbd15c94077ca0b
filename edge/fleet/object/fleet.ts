import { DurableObject } from 'cloudflare:workers';
import type { BatchReport } from '../../../schema/batch-report.ts';
import {
  agreedVersion,
  CLOSE,
  LINK_VERSION,
  PING,
  PONG,
  REPORT_BYTES_MAX,
  type ToEdge,
  toEdgeSchema,
} from '../../../schema/link.ts';
import { parseJson } from '../../../schema/parse-json.ts';
import type { HostState } from '../../../schema/words/stored.ts';
import { newCallId } from '../../base/call.ts';
import { readConfig } from '../../base/config.ts';
import {
  type ConnectedHost,
  type FleetJob,
  type FleetObject,
  LINK_HEADERS,
  type RememberedHost,
} from '../../base/fleet-protocol.ts';
import type { LogFields } from '../../base/log-fields.ts';
import { log } from '../../base/log.ts';
import { type AlarmsBinding, raiseAlarms } from '../../base/raise-alarms.ts';
import { type ByMinute, RecentCounts } from '../../base/recent-counts.ts';
import { isFault } from '../batch/batch-outcome.ts';
import { DueTimer } from '../batch/due-timer.ts';
import { type FleetLimits, LIMITS } from '../batch/limits.ts';
import { REFUSED } from '../dial-in/refused-links.ts';
import { createJobSigner } from '../keys/sign-job.ts';
import { createSettingsSigner } from '../keys/sign-settings.ts';
import { Comparisons } from '../trust/comparisons.ts';
import { Differences } from '../trust/differences.ts';
import { HostRecords } from '../trust/host-records.ts';
import { lotsOf } from '../trust/rendezvous.ts';
import type { Clock, FleetServices } from '../trust/services.ts';
import { AccountNumbers } from './account-numbers.ts';
import { Allowance } from './allowance.ts';
import { batchOf, Batches } from './batches.ts';
import { connectedHosts } from './connected-hosts.ts';
import { HostNotes } from './host-notes.ts';
import { JobLinks } from './job-links.ts';
import { Links } from './links.ts';
import { RecentBatches } from './recent-batches.ts';
import { UsedTokens } from './used-tokens.ts';

/** The object reads variables, and knows where alarms go: the database is the Worker's. */
type Variables = Readonly<Record<string, unknown>> & AlarmsBinding;
type Hello = Extract<ToEdge, { type: 'hello' }>;
/** What came over a link. */
type Said = { readonly json: unknown; readonly frame: ToEdge | null };
type JobFrame = Exclude<Extract<ToEdge, { job: string }>, { type: 'figures' }>;
type Who = { readonly host: string; readonly instance: string | null };

const CLOCK: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Knows which probe hosts are connected and hands each batch to one of them. */
export class Fleet extends DurableObject<Variables> implements FleetObject {
  protected readonly limits: FleetLimits = LIMITS;
  readonly #links: Links;
  readonly #jobLinks: JobLinks;
  /** What pages is handed on at once: no call may follow that would do it. */
  readonly #log = (level: 'info' | 'warn' | 'error', event: string, fields: LogFields): void => {
    log(level, event, fields);
    raiseAlarms({ env: this.env, waitUntil: (work) => this.ctx.waitUntil(work) });
  };
  readonly #records = new HostRecords(
    () => Date.now(),
    this.#log,
    (instance, now) => this.#links.reached(instance, now),
    () => readConfig(this.env).COMPARE_EVERY > 0,
  );
  readonly #batches: Batches;
  readonly #comparisons: Comparisons;
  readonly #differences: Differences;
  readonly #allowance = new Allowance();
  readonly #tokens: UsedTokens;
  readonly #notes: HostNotes;
  readonly #isSandbox: boolean;
  readonly #signSettings: ReturnType<typeof createSettingsSigner>;
  readonly #outcomes: RecentCounts;
  readonly #recent: RecentBatches;
  readonly #dropped = { frames: 0, strays: 0 };
  readonly #tidyTimer = new DueTimer(CLOCK, () => this.#tidy());

  constructor(ctx: DurableObjectState, env: Variables) {
    super(ctx, env);
    const { SANDBOX, EDGE_SIGNING_KEY, FLEET_SHARDS, COMPARE_EVERY } = readConfig(env);
    const limits = (): FleetLimits => this.limits;
    this.#isSandbox = SANDBOX === '1';
    this.#signSettings = createSettingsSigner(EDGE_SIGNING_KEY, FLEET_SHARDS);
    this.#tokens = new UsedTokens(ctx.storage.kv);
    this.#notes = new HostNotes(ctx.storage.kv);
    this.#outcomes = new RecentCounts(ctx.storage.kv);
    this.#recent = new RecentBatches(ctx.storage.kv, CLOCK);
    this.#differences = new Differences(ctx.storage.kv, () => Date.now(), this.#log);
    this.#links = new Links(ctx, limits, (instance) => this.#gone(instance, false));
    this.#jobLinks = new JobLinks(this.#links, this.#records, { clock: CLOCK, log: this.#log }, limits);
    const accounts = new AccountNumbers(Math.random());
    const sign = createJobSigner(EDGE_SIGNING_KEY);
    const services: FleetServices = {
      clock: CLOCK,
      random: () => Math.random(),
      links: this.#jobLinks,
      hosts: this.#records,
      lotOf: lotsOf(Math.random()),
      accountNumber: (accountId) => accounts.of(accountId, Date.now()),
      signJob: (job) => sign(job, Date.now()),
      log: this.#log,
    };
    this.#comparisons = new Comparisons(services, this.#differences, {
      every: COMPARE_EVERY,
      silentAfterMs: this.limits.silentAfterMs,
      newId: () => newCallId(Date.now()),
    });
    this.#batches = new Batches({
      ...services,
      limits,
      compare: (offer) => this.#comparisons.offer(offer),
      noted: (report) => this.#recent.note(report),
      ended: (outcome) => this.#outcomes.add(outcome, 1, Date.now(), isFault(outcome)),
    });
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    this.#tidy();
  }

  /**
   * Answers with one `FleetLine` of JSON per line; cancelling the stream cancels the job on its host. A batch that is
   * under way goes on, and its answer moves to the new stream. A new one for which there is no room is answered with
   * its last line, `full` or `share`, at once.
   * @throws Error for a job of another version, or a batch id used for other addresses
   */
  async dispatch(job: FleetJob): Promise<ReadableStream> {
    if (job.v !== 1) throw new Error('This object is too old for the job');
    return this.#batches.dispatch(job, () => this.#jobLinks.room());
  }

  /** Takes effect at once on the links of the host: `removed` closes them, `draining` sends no new jobs. */
  async setHostState(host: string, state: HostState): Promise<void> {
    for (const instance of this.#links.order(host, state, Date.now())) this.#gone(instance, true);
    this.#batches.lookForHosts();
  }

  async hosts(): Promise<ConnectedHost[]> {
    this.#jobLinks.members();
    return connectedHosts(
      this.#links.heardOf(Date.now()),
      (member) => this.#records.complaint(member),
      (host) => this.#differences.of(host),
    );
  }

  async remembered(): Promise<RememberedHost[]> {
    return [...this.#notes.all()].map(([id, { starts, ...note }]) => ({
      id,
      ...note,
      startsAtMs: starts.map(({ atMs }) => atMs),
    }));
  }

  async outcomes(): Promise<ByMinute> {
    return this.#outcomes.of(Date.now());
  }

  async batch(id: string): Promise<BatchReport | null> {
    return this.#recent.get(id);
  }

  async noteRefusal(host: string, why: string): Promise<void> {
    this.#notes.refused(host, why, Date.now());
  }

  /** The Worker hands on an upgrade whose token it has checked: who it is stands in headers that only it can write. */
  override async fetch(request: Request): Promise<Response> {
    const host = request.headers.get(LINK_HEADERS.host);
    const token = request.headers.get(LINK_HEADERS.token);
    if (host === null || token === null || request.headers.get('upgrade') !== 'websocket')
      return new Response(null, { status: 400 });
    const now = Date.now();
    const isFresh = this.#tokens.use(host, token, now);
    const { 0: theirs, 1: ours } = new WebSocketPair();
    const ordered = request.headers.get(LINK_HEADERS.state) === 'draining';
    if (!isFresh || !this.#links.accept(ours, host, ordered, now)) {
      this.#refused(host, isFresh ? 'removed' : 'token');
      return new Response(null, { status: 401 });
    }
    this.#tidy();
    return new Response(null, { status: 101, webSocket: theirs });
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const who = this.#links.who(socket);
    if (who === null) return;
    const now = Date.now();
    const news = this.#act(socket, who, readFrame(message), now);
    const length = typeof message === 'string' ? message.length : message.byteLength;
    if (this.#allowance.spend(who.host, { length, news }, now)) return;
    this.#refused(who.host, 'flood');
    this.#links.cut(socket, CLOSE.flood);
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    // A host that closes in good order has finished.
    const who = this.#forget(socket, code === 1000);
    if (who !== null) log('info', 'host_gone', { host: who.host, code });
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    this.#forget(socket, false);
  }

  #forget(socket: WebSocket, forGood: boolean): Who | null {
    const who = this.#links.who(socket);
    this.#links.forget(socket);
    if (who === null) return null;
    this.#notes.seen(who.host, Date.now());
    // One that reconnected has a newer socket.
    if (who.instance !== null && this.#links.processes.get(who.instance) === null) this.#gone(who.instance, forGood);
    return who;
  }

  /** @returns how much the frame told that was not known */
  #act(socket: WebSocket, { host, instance }: Who, { frame, json }: Said, now: number): number {
    if (instance === null && agreedVersion(json) === null) {
      this.#refused(host, 'version');
      this.#links.close(socket, CLOSE.version);
      return 0;
    }
    if (frame === null || (instance === null) !== (frame.type === 'hello')) {
      this.#countDropped('frames', host);
      if (instance === null) {
        this.#refused(host, 'hello');
        this.#links.close(socket, CLOSE.hello);
      }
      return 0;
    }
    this.#links.heard(socket, now);
    switch (frame.type) {
      case 'hello':
        this.#welcome(socket, host, frame, now);
        return 0;
      case 'status': {
        const hasChanged = this.#links.update(socket, frame);
        const process = instance === null ? null : this.#links.processes.get(instance);
        if (process !== null) this.#records.look([process]);
        if (hasChanged) this.#batches.lookForHosts();
        return Number(hasChanged && this.#allowance.isNews(host, now));
      }
      case 'ack':
      case 'alive':
      case 'evidence':
      case 'done':
      case 'refuse':
        if (frame.type === 'refuse') this.#notes.refused(host, `refused a job: ${frame.why}`, now);
        return this.#hearOfJob(host, instance ?? '', frame);
      case 'figures': {
        const { job, figures } = frame;
        const batch = this.#batches.get(batchOf(job));
        return Number((batch ?? this.#recent).figures(job, host, figures));
      }
    }
  }

  #hearOfJob(host: string, instance: string, frame: JobFrame): number {
    const batchId = batchOf(frame.job);
    if (this.#comparisons.has(batchId)) return Number(this.#comparisons.hear(batchId, instance, frame));
    const batch = this.#batches.get(batchId);
    if (batch !== null) return batch.hear(instance, frame);
    // Some are on their way whenever a batch ends early.
    this.#countDropped('strays', host);
    return 0;
  }

  #welcome(socket: WebSocket, host: string, hello: Hello, now: number): void {
    if (hello.routes && !this.#isSandbox) {
      this.#refused(host, 'routes');
      this.#links.close(socket, CLOSE.routes);
      return;
    }
    const member = this.#links.greet(socket, hello, now);
    if (member === null) {
      this.#refused(host, 'instance');
      this.#links.close(socket, CLOSE.hello);
      return;
    }
    // Keys rotate and objects are added with a deploy, which resets this object: so each host hears of it at its hello.
    if (hello.version !== undefined)
      this.ctx.waitUntil(
        this.#signSettings(host, now).then((token) =>
          this.#jobLinks.send(hello.instance, { v: LINK_VERSION, type: 'settings', token }),
        ),
      );
    log('info', 'host_joined', { host, running: hello.running.length });
    if (hello.startedAt !== undefined && this.#notes.started(host, hello.startedAt, now))
      this.#log('warn', 'host_crashes', { host, why: 'it started five times in ten minutes' });
    this.#batches.hostBack(member, [...hello.running, ...this.#links.processes.jobsOf(hello.instance)]);
    this.#batches.lookForHosts();
    this.#tidy();
  }

  /** A host that goes wrong goes wrong often: one line for each doubling is enough. */
  #countDropped(what: 'frames' | 'strays', host: string): void {
    this.#dropped[what] += 1;
    const count = this.#dropped[what];
    if (!Number.isInteger(Math.log2(count))) return;
    if (what === 'frames') log('warn', 'frames_dropped', { host, count });
    else log('info', 'frames_of_no_batch', { host, count });
  }

  #refused(host: string, why: keyof typeof REFUSED): void {
    log('warn', 'host_refused', { host, why: REFUSED[why] });
    this.#notes.refused(host, REFUSED[why], Date.now());
  }

  #gone(instance: string, forGood: boolean): void {
    this.#batches.hostGone(instance, this.#links.processes.jobsOf(instance), forGood);
  }

  /** Looks after what is only remembered for a time, and again when the next of it is due: a timer keeps an object awake. */
  #tidy(): void {
    const now = Date.now();
    this.#allowance.tidy(now);
    const next = this.#links.tidy(now, (job) => this.#batches.get(batchOf(job)) !== null);
    this.#tidyTimer.set([next], now);
  }
}

function readFrame(message: string | ArrayBuffer): Said {
  if (typeof message !== 'string' || message.length > REPORT_BYTES_MAX) return { json: null, frame: null };
  const json = parseJson(message);
  const parsed = toEdgeSchema.safeParse(json);
  return { json, frame: parsed.success ? parsed.data : null };
}
