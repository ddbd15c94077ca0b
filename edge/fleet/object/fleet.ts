import { DurableObject } from 'cloudflare:workers';
import { PING, PONG } from '../../../schema/link.ts';
import type { HostState } from '../../../schema/words/stored.ts';
import { newCallId } from '../../base/call.ts';
import { readConfig } from '../../base/config.ts';
import {
  type FleetAnswer,
  type FleetJob,
  type FleetObject,
  type FleetView,
  LINK_HEADERS,
} from '../../base/fleet-protocol.ts';
import { log } from '../../base/log.ts';
import { type AlarmsBinding, raiseAlarms } from '../../base/raise-alarms.ts';
import { RecentCounts } from '../../base/recent-counts.ts';
import { isFault } from '../batch/batch-outcome.ts';
import { type FleetLimits, LIMITS } from '../batch/limits.ts';
import type { Clock, FleetServices, Log } from '../batch/services.ts';
import { readSigningKeys } from '../keys/edge-keys.ts';
import { createJobSigner } from '../keys/sign-job.ts';
import { createSettingsSigner } from '../keys/sign-settings.ts';
import { receiverOf } from '../trust/receiver.ts';
import { lotsOf } from '../trust/rendezvous.ts';
import { createAnswer } from './answer.ts';
import { Batches } from './batches.ts';
import { HostNotes } from './host-notes.ts';
import { LinkEvents } from './link-events.ts';
import { Roster } from './roster.ts';

/** The object reads variables and raises alarms; the database is the Worker's. */
type Variables = Readonly<Record<string, unknown>> & AlarmsBinding;

const CLOCK: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
const random = (): number => Math.random();

/** Knows the connected probe hosts and hands each batch to one of them. `LinkEvents` handles what hosts send. */
export class Fleet extends DurableObject<Variables> implements FleetObject {
  protected readonly limits: FleetLimits = LIMITS;
  readonly #roster: Roster;
  readonly #batches: Batches;
  readonly #notes: HostNotes;
  readonly #outcomes: RecentCounts;
  readonly #events: LinkEvents;

  constructor(ctx: DurableObjectState, env: Variables) {
    super(ctx, env);
    const { SANDBOX, EDGE_SIGNING_KEY, FLEET_SHARDS, COMPARE_EVERY } = readConfig(env);
    const limits = (): FleetLimits => this.limits;
    const waitUntil = (work: Promise<unknown>): void => ctx.waitUntil(work);
    /** What pages is handed on at once: there may be no later call to do it. */
    const logAndRaise: Log = (level, event, fields) => {
      log(level, event, fields);
      raiseAlarms({ env, waitUntil });
    };
    const now = (): number => CLOCK.now();
    const { kv } = ctx.storage;
    this.#notes = new HostNotes(kv);
    this.#outcomes = new RecentCounts(kv);
    this.#roster = new Roster(ctx, limits, CLOCK, logAndRaise);
    const seed = random();
    const sign = createJobSigner(EDGE_SIGNING_KEY);
    const services: FleetServices = {
      clock: CLOCK,
      limits,
      log: logAndRaise,
      random,
      hosts: this.#roster,
      lotOf: lotsOf(readSigningKeys(EDGE_SIGNING_KEY)[0].d),
      accountNumber: (accountId) => receiverOf(`${seed} ${accountId}`) >>> 0,
      signJob: (job) => sign(job, now()),
    };
    this.#batches = new Batches(services, {
      shards: FLEET_SHARDS,
      counted: (what) => this.#outcomes.add(what, 1, now(), what === 'no_room'),
      ended: (outcome) => this.#outcomes.add(outcome, 1, now(), isFault(outcome)),
      comparisons: {
        every: COMPARE_EVERY,
        newId: () => newCallId(now()),
        hasDiffered: (host) => this.#roster.hasDiffered(host),
        compared: (said, { receiver, account }) => this.#roster.compared(said, receiver, account),
      },
    });
    const signSettings = createSettingsSigner(EDGE_SIGNING_KEY, FLEET_SHARDS);
    this.#events = new LinkEvents(services, this.#roster, this.#batches, this.#notes, {
      isSandbox: SANDBOX === '1',
      signSettings,
      waitUntil,
    });
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
  }

  /** Cancelling the answer cancels the batch's jobs on their hosts. */
  async dispatch(job: FleetJob, gathersMs = 0): Promise<FleetAnswer> {
    const { answer, sink } = createAnswer(gathersMs, CLOCK, () => this.#batches.letGo(job.batchId));
    this.#batches.dispatch(job, sink, () => this.#roster.slots);
    return answer;
  }

  /** Takes effect at once on the links of the host: `removed` closes them, `draining` sends no new jobs. */
  async setHostState(host: string, state: HostState): Promise<void> {
    for (const instance of this.#roster.order(host, state)) this.#events.gone(instance, true);
    this.#batches.lookForHosts();
  }

  async view(): Promise<FleetView> {
    const remembered = [...this.#notes.all()].map(([id, { starts, ...note }]) => ({
      id,
      ...note,
      startsAtMs: starts.map(({ atMs }) => atMs),
    }));
    return { hosts: this.#roster.connected(), remembered, outcomes: this.#outcomes.of(CLOCK.now()) };
  }

  async noteRefusal(host: string, why: string): Promise<void> {
    this.#notes.refused(host, why, CLOCK.now());
  }

  /** The Worker hands on an upgrade whose token it has checked: the host is in headers that only it can write. */
  override async fetch({ headers }: Request): Promise<Response> {
    const host = headers.get(LINK_HEADERS.host);
    if (host === null || headers.get('upgrade') !== 'websocket') return new Response(null, { status: 400 });
    const { 0: theirs, 1: ours } = new WebSocketPair();
    const isIn = this.#events.dialled(ours, host, headers.get(LINK_HEADERS.state) === 'draining');
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
