import { DurableObject } from 'cloudflare:workers';
import type { BatchReport } from '../../../schema/batch-report.ts';
import { PING, PONG } from '../../../schema/link.ts';
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
import { type FleetLimits, LIMITS } from '../batch/limits.ts';
import { createJobSigner } from '../keys/sign-job.ts';
import { createSettingsSigner } from '../keys/sign-settings.ts';
import { Comparisons } from '../trust/comparisons.ts';
import { Differences } from '../trust/differences.ts';
import { HostRecords } from '../trust/host-records.ts';
import { lotsOf } from '../trust/rendezvous.ts';
import type { Clock, FleetServices } from '../trust/services.ts';
import { AccountNumbers } from './account-numbers.ts';
import { Batches } from './batches.ts';
import { connectedHosts } from './connected-hosts.ts';
import { HostNotes } from './host-notes.ts';
import { JobLinks } from './job-links.ts';
import { LinkEvents } from './link-events.ts';
import { Links } from './links.ts';
import { RecentBatches } from './recent-batches.ts';
import { UsedTokens } from './used-tokens.ts';

/** The object reads variables, and knows where alarms go: the database is the Worker's. */
type Variables = Readonly<Record<string, unknown>> & AlarmsBinding;

const CLOCK: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Knows which probe hosts are connected and hands each batch to one of them. What hosts say is heard by `LinkEvents`. */
export class Fleet extends DurableObject<Variables> implements FleetObject {
  protected readonly limits: FleetLimits = LIMITS;
  readonly #links: Links;
  readonly #jobLinks: JobLinks;
  readonly #events: LinkEvents;
  readonly #records: HostRecords;
  readonly #batches: Batches;
  readonly #differences: Differences;
  readonly #notes: HostNotes;
  readonly #outcomes: RecentCounts;
  readonly #recent: RecentBatches;

  constructor(ctx: DurableObjectState, env: Variables) {
    super(ctx, env);
    const { SANDBOX, EDGE_SIGNING_KEY, FLEET_SHARDS, COMPARE_EVERY } = readConfig(env);
    const limits = (): FleetLimits => this.limits;
    const waitUntil = (work: Promise<unknown>): void => ctx.waitUntil(work);
    /** What pages is handed on at once: no call may follow that would do it. */
    const logAndRaise = (level: 'info' | 'warn' | 'error', event: string, fields: LogFields): void => {
      log(level, event, fields);
      raiseAlarms({ env, waitUntil });
    };
    const around = { clock: CLOCK, log: logAndRaise };
    const now = (): number => CLOCK.now();
    this.#notes = new HostNotes(ctx.storage.kv);
    this.#outcomes = new RecentCounts(ctx.storage.kv);
    this.#recent = new RecentBatches(ctx.storage.kv, CLOCK);
    this.#differences = new Differences(ctx.storage.kv, now, logAndRaise);
    this.#links = new Links(ctx, limits, (instance) => this.#events.gone(instance, false));
    this.#records = new HostRecords(
      now,
      logAndRaise,
      (instance, nowMs) => this.#links.processes.reached(instance, nowMs),
      () => COMPARE_EVERY > 0,
    );
    this.#jobLinks = new JobLinks(this.#links, this.#records, now);
    const accounts = new AccountNumbers(Math.random());
    const sign = createJobSigner(EDGE_SIGNING_KEY);
    const services: FleetServices = {
      ...around,
      random: () => Math.random(),
      links: this.#jobLinks,
      hosts: this.#records,
      lotOf: lotsOf(Math.random()),
      accountNumber: (accountId) => accounts.of(accountId, now()),
      signJob: (job) => sign(job, now()),
    };
    const newId = (): string => newCallId(now());
    const comparisons = new Comparisons(services, this.#differences, { every: COMPARE_EVERY, newId });
    this.#batches = new Batches({
      ...services,
      limits,
      shards: FLEET_SHARDS,
      counted: (what) => this.#outcomes.add(what, 1, now(), what === 'no_room'),
      compare: (offer) => comparisons.offer(offer),
      noted: (report) => this.#recent.note(report),
      ended: (outcome) => this.#outcomes.add(outcome, 1, now(), isFault(outcome)),
    });
    this.#events = new LinkEvents({
      ...around,
      limits,
      links: this.#links,
      tokens: new UsedTokens(ctx.storage.kv),
      notes: this.#notes,
      records: this.#records,
      batches: this.#batches,
      comparisons,
      recent: this.#recent,
      isSandbox: SANDBOX === '1',
      signSettings: createSettingsSigner(EDGE_SIGNING_KEY, FLEET_SHARDS),
      waitUntil,
    });
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
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
    for (const instance of this.#links.order(host, state, CLOCK.now())) this.#events.gone(instance, true);
    this.#batches.lookForHosts();
  }

  async hosts(): Promise<ConnectedHost[]> {
    return connectedHosts(
      this.#jobLinks.members(),
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
    return this.#outcomes.of(CLOCK.now());
  }

  async batch(id: string): Promise<BatchReport | null> {
    return this.#recent.get(id);
  }

  async noteRefusal(host: string, why: string): Promise<void> {
    this.#notes.refused(host, why, CLOCK.now());
  }

  /** The Worker hands on an upgrade whose token it has checked: who it is stands in headers that only it can write. */
  override async fetch({ headers }: Request): Promise<Response> {
    const host = headers.get(LINK_HEADERS.host);
    const token = headers.get(LINK_HEADERS.token);
    if (host === null || token === null || headers.get('upgrade') !== 'websocket')
      return new Response(null, { status: 400 });
    const { 0: theirs, 1: ours } = new WebSocketPair();
    const isIn = this.#events.dialled(ours, host, token, headers.get(LINK_HEADERS.state) === 'draining');
    return new Response(null, isIn ? { status: 101, webSocket: theirs } : { status: 401 });
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    this.#events.heard(socket, message);
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    this.#events.closed(socket, code);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    this.#events.closed(socket, null);
  }
}
