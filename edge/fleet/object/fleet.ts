import { DurableObject } from 'cloudflare:workers';
import { CLOSE, LINK_VERSION, PING, PONG, REPORT_BYTES_MAX, type ToEdge, toEdgeSchema } from '../../../schema/link.ts';
import { parseJson } from '../../../schema/parse-json.ts';
import type { HostState } from '../../../schema/words/stored.ts';
import { readConfig } from '../../base/config.ts';
import { log } from '../../base/log.ts';
import { AccountNumbers } from './account-numbers.ts';
import { Allowance } from './allowance.ts';
import { Capacity, needsOf } from './capacity.ts';
import { Comparisons, isComparison } from '../trust/comparisons.ts';
import { connectedHosts } from './connected-hosts.ts';
import { Differences } from '../trust/differences.ts';
import { FleetBatch } from '../batch/fleet-batch.ts';
import { createLineStream } from './line-stream.ts';
import { HostNotes } from './host-notes.ts';
import { type FleetLimits, LIMITS } from '../batch/limits.ts';
import { Links } from './links.ts';
import { Peers } from '../trust/peers.ts';
import {
  type ConnectedHost,
  type FleetJob,
  type FleetObject,
  LINK_HEADERS,
  type RememberedHost,
} from '../../base/fleet-protocol.ts';
import { eligible, type Member } from '../trust/roster.ts';
import { ShownTokens } from './shown-tokens.ts';
import { createJobSigner } from '../keys/sign-job.ts';
import { createSettingsSigner } from '../keys/sign-settings.ts';
import type { FleetWorld } from '../trust/world.ts';

/** The object reads variables only: the database is the Worker's. */
type Variables = Readonly<Record<string, unknown>>;

/** Why a host that has proven itself is shut out all the same. */
const REFUSED = {
  removed: 'it was removed',
  token: 'its token was used before, or it dials in too often',
  flood: 'it said more than it had to say',
  routes: 'it declares private routes, and this edge is not a sandbox',
  instance: 'its process is known as that of another host',
} as const;

/** Knows which probe hosts are connected and hands each batch to one of them. */
export class Fleet extends DurableObject<Variables> implements FleetObject {
  protected readonly limits: FleetLimits = LIMITS;
  readonly #links: Links;
  readonly #peers = new Peers(
    () => Date.now(),
    log,
    (instance, now) => this.#links.reached(instance, now),
  );
  readonly #batches = new Map<string, FleetBatch>();
  readonly #accounts = new AccountNumbers(Math.random());
  readonly #capacity = new Capacity();
  readonly #allowance = new Allowance();
  readonly #tokens: ShownTokens;
  readonly #notes: HostNotes;
  readonly #differences: Differences;
  readonly #comparisons: Comparisons;
  readonly #sandbox: boolean;
  readonly #sign: ReturnType<typeof createJobSigner>;
  readonly #signSettings: ReturnType<typeof createSettingsSigner>;
  readonly #dropped = { frames: 0, strays: 0 };
  #tidyAt = Infinity;
  #cancelTidy = (): void => {};
  #isGathering = false;

  constructor(ctx: DurableObjectState, env: Variables) {
    super(ctx, env);
    const config = readConfig(env);
    this.#sandbox = config.SANDBOX === '1';
    this.#sign = createJobSigner(config.EDGE_SIGNING_KEY);
    this.#signSettings = createSettingsSigner(config.EDGE_SIGNING_KEY, config.FLEET_SHARDS);
    this.#tokens = new ShownTokens(ctx.storage.kv);
    this.#notes = new HostNotes(ctx.storage.kv);
    this.#differences = new Differences(ctx.storage.kv, () => Date.now(), log);
    this.#links = new Links(
      ctx,
      () => this.limits,
      (instance) => this.#gone(instance, false),
    );
    this.#comparisons = new Comparisons(this.#world(), this.#differences, this.limits, config.COMPARE_EVERY, () =>
      crypto.randomUUID(),
    );
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
    const { batchId } = job;
    const { stream, sink } = createLineStream((cancelled) => this.#batches.get(batchId)?.letGo(cancelled));
    const running = this.#batches.get(batchId);
    if (running !== undefined) {
      running.attach(job, sink);
      return stream;
    }
    const needs = needsOf(job);
    // One that is asked for again was let in before.
    const lack = job.again === true ? null : this.#capacity.lacks(needs, this.#slots(), this.#unread());
    if (lack !== null) {
      log('warn', 'fleet_full', { why: lack, batches: this.#batches.size, addresses: needs.addresses });
      sink.write([{ type: 'end', cause: lack }]);
      sink.end();
      return stream;
    }
    this.#capacity.take(needs);
    const batch = new FleetBatch(job, sink, this.#world(), this.limits, () => {
      this.#batches.delete(batchId);
      this.#capacity.giveBack(needs);
    });
    this.#batches.set(batchId, batch);
    batch.advance();
    return stream;
  }

  /** Takes effect at once on the links of the host: `removed` closes them, `draining` sends no new jobs. */
  async setHostState(host: string, state: HostState): Promise<void> {
    for (const instance of this.#links.order(host, state, Date.now())) this.#gone(instance, true);
    this.#lookAround();
  }

  async hosts(): Promise<ConnectedHost[]> {
    this.#members();
    return connectedHosts(
      this.#links.heardOf(Date.now()),
      (member) => this.#peers.complaint(member),
      (host) => this.#differences.of(host),
    );
  }

  async remembered(): Promise<RememberedHost[]> {
    return [...this.#notes.all()].map(([id, note]) => ({ id, ...note }));
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
    const isFresh = this.#tokens.take(host, token, now);
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
    const isNews = this.#act(socket, who, readFrame(message), now);
    const length = typeof message === 'string' ? message.length : message.byteLength;
    if (isNews || this.#allowance.spend(who.host, length, now)) return;
    this.#refused(who.host, 'flood');
    this.#links.cut(socket, CLOSE.flood);
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    const who = this.#links.who(socket);
    this.#links.forget(socket);
    if (who === null) return;
    this.#notes.seen(who.host, Date.now());
    // A host that closes in good order has finished; one that reconnected has a newer socket.
    if (who.instance !== null && !this.#links.isConnected(who.instance)) this.#gone(who.instance, code === 1000);
    log('info', 'host_gone', { host: who.host, code });
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    const { host = null, instance = null } = this.#links.who(socket) ?? {};
    this.#links.forget(socket);
    if (host !== null) this.#notes.seen(host, Date.now());
    if (instance !== null && !this.#links.isConnected(instance)) this.#gone(instance, false);
  }

  /** @returns whether the frame told anything that was not known */
  #act(
    socket: WebSocket,
    { host, instance }: { readonly host: string; readonly instance: string | null },
    frame: ToEdge | null,
    now: number,
  ): boolean {
    if (frame === null || (instance === null) !== (frame.type === 'hello')) {
      // A host that goes wrong goes wrong often: one line for each doubling is enough.
      this.#dropped.frames += 1;
      if (isPowerOfTwo(this.#dropped.frames)) log('warn', 'frames_dropped', { host, count: this.#dropped.frames });
      if (instance === null) this.#links.close(socket, CLOSE.hello);
      return false;
    }
    this.#links.heard(socket, now);
    if (frame.type === 'hello') {
      this.#welcome(socket, host, frame, now);
      return false;
    }
    if (frame.type === 'status') {
      const hasChanged = this.#links.update(socket, frame);
      const member = instance === null ? null : this.#links.member(instance);
      if (member !== null) this.#peers.look([member]);
      if (hasChanged) this.#lookAround();
      return hasChanged;
    }
    if (frame.type === 'refuse') this.#notes.refused(host, `refused a job: ${frame.why}`, now);
    const batchId = batchOf(frame.job);
    if (isComparison(batchId)) return this.#comparisons.hear(batchId, instance ?? '', frame);
    const batch = this.#batches.get(batchId);
    if (batch !== undefined) return batch.hear(instance ?? '', frame);
    // Some are on their way whenever a batch ends early.
    this.#dropped.strays += 1;
    if (isPowerOfTwo(this.#dropped.strays)) log('info', 'frames_of_no_batch', { host, count: this.#dropped.strays });
    return false;
  }

  #welcome(socket: WebSocket, host: string, hello: Extract<ToEdge, { type: 'hello' }>, now: number): void {
    if (hello.routes && !this.#sandbox) {
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
    if (hello.version !== undefined) this.ctx.waitUntil(this.#tellSettings(host, hello.instance, now));
    log('info', 'host_joined', { host, running: hello.running.length });
    for (const batch of this.#batchesOf([...hello.running, ...this.#links.given(hello.instance)]))
      batch.hostBack(member);
    this.#lookAround();
    this.#tidy();
  }

  /** Keys rotate and objects are added with a deploy, which resets this object: so each host hears of it at its hello. */
  async #tellSettings(host: string, instance: string, now: number): Promise<void> {
    const token = await this.#signSettings(host, now);
    this.#links.send(instance, { v: LINK_VERSION, type: 'settings', token });
  }

  #refused(host: string, why: keyof typeof REFUSED): void {
    log('warn', 'host_refused', { host, why: REFUSED[why] });
    this.#notes.refused(host, REFUSED[why], Date.now());
  }

  #gone(instance: string, forGood: boolean): void {
    for (const batch of this.#batchesOf(this.#links.given(instance))) batch.hostGone(instance, forGood);
  }

  #batchesOf(jobs: readonly string[]): ReadonlySet<FleetBatch> {
    return new Set(jobs.flatMap((job) => this.#batches.get(batchOf(job)) ?? []));
  }

  /** Batches that seek a host look for one, a moment later: hosts often come and go together. */
  #lookAround(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    setTimeout(() => {
      this.#isGathering = false;
      for (const batch of this.#batches.values()) if (batch.seeks) batch.advance();
    }, this.limits.gatherMs);
  }

  /** Looks after what is only remembered for a time, and again when the next of it is due: a timer keeps an object awake. */
  #tidy(): void {
    const now = Date.now();
    this.#allowance.tidy(now);
    const next = this.#links.tidy(now, (job) => this.#batches.has(batchOf(job)));
    if (next === null || next >= this.#tidyAt) return;
    this.#cancelTidy();
    this.#tidyAt = next;
    const timer = setTimeout(
      () => {
        this.#tidyAt = Infinity;
        this.#tidy();
      },
      Math.max(1, next - now),
    );
    this.#cancelTidy = () => clearTimeout(timer);
  }

  #slots(): number {
    const now = Date.now();
    const members = eligible(this.#links.members(now), now, this.limits.silentAfterMs);
    return members.reduce((sum, { slots }) => sum + slots, 0);
  }

  #unread(): number {
    let unread = 0;
    for (const batch of this.#batches.values()) unread += batch.unread;
    return unread;
  }

  #members(): readonly Member[] {
    return this.#peers.look(this.#links.members(Date.now()));
  }

  #world(): FleetWorld {
    return {
      now: () => Date.now(),
      after: (delayMs, run) => {
        const timer = setTimeout(run, delayMs);
        return () => clearTimeout(timer);
      },
      random: () => Math.random(),
      members: () => this.#members(),
      peers: this.#peers,
      send: (instance, frame) => this.#links.send(instance, frame),
      numberOf: (accountId) => this.#accounts.of(accountId, Date.now()),
      sign: (job) => this.#sign(job, Date.now()),
      compare: (offer) => this.#comparisons.offer(offer),
      note: (instance, jobId, runs) => this.#links.note(instance, jobId, runs),
      doubt: (instance, doubted) => {
        const now = Date.now();
        this.#links.doubt(instance, doubted ? now + this.limits.doubtMs : now, now);
      },
      log,
    };
  }
}

function readFrame(message: string | ArrayBuffer): ToEdge | null {
  if (typeof message !== 'string' || message.length > REPORT_BYTES_MAX) return null;
  const parsed = toEdgeSchema.safeParse(parseJson(message));
  return parsed.success ? parsed.data : null;
}

function batchOf(jobId: string): string {
  return jobId.slice(0, jobId.lastIndexOf('.'));
}

function isPowerOfTwo(count: number): boolean {
  return Number.isInteger(Math.log2(count));
}
