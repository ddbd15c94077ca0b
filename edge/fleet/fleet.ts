import { DurableObject } from 'cloudflare:workers';
import { CLOSE, FRAME_BYTES_MAX, PING, PONG, type ToEdge, toEdgeSchema } from '../../schema/link.ts';
import { parseJson } from '../../schema/parse-json.ts';
import type { HostState } from '../../schema/stored-words.ts';
import { readConfig } from '../config.ts';
import { log } from '../log.ts';
import { FleetBatch } from './fleet-batch.ts';
import { createLineStream } from './line-stream.ts';
import { type FleetLimits, LIMITS } from './limits.ts';
import { Links } from './links.ts';
import { type ConnectedHost, type FleetControl, type FleetJob, LINK_HEADERS } from './protocol.ts';
import { createJobSigner } from './sign-job.ts';
import { Peers } from './peers.ts';
import type { Member } from './roster.ts';
import type { FleetWorld } from './world.ts';

/** The object reads variables only: the database is the Worker's. */
type Variables = Readonly<Record<string, unknown>>;

/** Knows which probe hosts are connected and hands each batch to one of them. */
export class Fleet extends DurableObject<Variables> implements FleetControl {
  protected readonly limits: FleetLimits = LIMITS;
  readonly #links: Links;
  readonly #peers = new Peers(
    () => Date.now(),
    log,
    (instance, now) => this.#links.reached(instance, now),
  );
  readonly #batches = new Map<string, FleetBatch>();
  readonly #sandbox: boolean;
  readonly #sign: ReturnType<typeof createJobSigner>;
  #droppedFrames = 0;

  constructor(ctx: DurableObjectState, env: Variables) {
    super(ctx, env);
    const config = readConfig(env);
    this.#sandbox = config.SANDBOX === '1';
    this.#sign = createJobSigner(config.EDGE_SIGNING_KEY);
    this.#links = new Links(ctx);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
  }

  /**
   * Answers with one `FleetLine` of JSON per line; cancelling the stream cancels the job on its host. A batch that is
   * under way goes on, and its answer moves to the new stream.
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
    const batch = new FleetBatch(job, sink, this.#world(), this.limits, () => this.#batches.delete(batchId));
    this.#batches.set(batchId, batch);
    batch.advance();
    return stream;
  }

  /** Takes effect at once on the links of the host: `removed` closes them, `draining` sends no new jobs. */
  async setHostState(host: string, state: HostState): Promise<void> {
    for (const instance of this.#links.order(host, state, Date.now())) this.#gone(instance, true);
    this.#advance();
  }

  async hosts(): Promise<ConnectedHost[]> {
    this.#members();
    return this.#links.hosts(Date.now(), this.limits.silentAfterMs, (member) => this.#peers.complaint(member));
  }

  /** The Worker hands on an upgrade whose token it has checked: who it is stands in headers that only it can write. */
  override async fetch(request: Request): Promise<Response> {
    const host = request.headers.get(LINK_HEADERS.host);
    if (host === null || request.headers.get('upgrade') !== 'websocket') return new Response(null, { status: 400 });
    const { 0: theirs, 1: ours } = new WebSocketPair();
    const ordered = request.headers.get(LINK_HEADERS.state) === 'draining';
    if (!this.#links.accept(ours, host, ordered, Date.now())) return new Response(null, { status: 401 });
    return new Response(null, { status: 101, webSocket: theirs });
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const frame = readFrame(message);
    const who = this.#links.who(socket);
    if (who === null) return;
    if (frame === null || (who.instance === null) !== (frame.type === 'hello')) {
      this.#drop(socket, who.host, who.instance === null);
      return;
    }
    const now = Date.now();
    this.#links.heard(socket, now);
    if (frame.type === 'hello') this.#welcome(socket, who.host, frame, now);
    else if (frame.type === 'status') {
      const changed = this.#links.update(socket, frame);
      const member = this.#links.memberOf(socket, now);
      if (member !== null) this.#peers.look([member]);
      if (changed) this.#advance();
    } else this.#batches.get(batchOf(frame.job))?.hear(who.instance ?? '', frame);
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    const who = this.#links.who(socket);
    // A host that closes in good order has finished; one that reconnected has a newer socket.
    if (who !== null && who.instance !== null && !this.#isConnected(who.instance))
      this.#gone(who.instance, code === 1000);
    if (who !== null) log('info', 'host_gone', { host: who.host, code });
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    const instance = this.#links.who(socket)?.instance ?? null;
    if (instance !== null && !this.#isConnected(instance)) this.#gone(instance, false);
  }

  #welcome(socket: WebSocket, host: string, hello: Extract<ToEdge, { type: 'hello' }>, now: number): void {
    if (hello.routes && !this.#sandbox) {
      log('warn', 'host_refused', { host, why: 'routes' });
      this.#links.close(socket, CLOSE.routes);
      return;
    }
    const member = this.#links.greet(socket, hello, now);
    if (member === null) {
      log('warn', 'host_refused', { host, why: 'instance' });
      this.#links.close(socket, CLOSE.hello);
      return;
    }
    log('info', 'host_joined', { host, running: member.running.length });
    for (const batch of this.#batches.values()) batch.hostBack(member);
  }

  #gone(instance: string, forGood: boolean): void {
    for (const batch of this.#batches.values()) batch.hostGone(instance, forGood);
  }

  #advance(): void {
    for (const batch of this.#batches.values()) batch.advance();
  }

  #isConnected(instance: string): boolean {
    return this.#links.members(Date.now(), this.limits.silentAfterMs).some((m) => m.instance === instance);
  }

  #drop(socket: WebSocket, host: string, beforeHello: boolean): void {
    this.#droppedFrames += 1;
    // A host that goes wrong goes wrong often: one line for each doubling is enough.
    if (Number.isInteger(Math.log2(this.#droppedFrames))) {
      log('warn', 'frames_dropped', { host, count: this.#droppedFrames });
    }
    if (beforeHello) this.#links.close(socket, CLOSE.hello);
  }

  #members(): readonly Member[] {
    return this.#peers.look(this.#links.members(Date.now(), this.limits.silentAfterMs));
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
      sign: (job) => this.#sign(job, Date.now()),
      note: (instance, jobId, runs) => this.#links.note(instance, jobId, runs),
      doubt: (instance, doubted) => {
        const now = Date.now();
        this.#links.doubt(instance, doubted ? now + this.limits.doubtMs : now, now);
      },
      log: (event, fields) => log('info', event, fields),
    };
  }
}

function readFrame(message: string | ArrayBuffer): ToEdge | null {
  if (typeof message !== 'string' || message.length > FRAME_BYTES_MAX) return null;
  const parsed = toEdgeSchema.safeParse(parseJson(message));
  return parsed.success ? parsed.data : null;
}

function batchOf(jobId: string): string {
  return jobId.slice(0, jobId.lastIndexOf('.'));
}
