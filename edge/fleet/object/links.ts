import { CLOSE, LINK_VERSION, type ToEdge, type ToHost } from '../../../schema/link.ts';
import type { HostState } from '../../../schema/words/stored.ts';
import { type Attachment, attach, attached, type Greeted } from './attachment.ts';
import type { FleetLimits } from '../batch/limits.ts';
import { isHeard, type Member } from '../trust/roster.ts';
import { closeWith, sendTo } from './socket.ts';

// The links of one Fleet object, found by process and by host: nothing here looks through all of them for one.

/** Beyond what an object counts as silent: the link is of no use to anyone. */
const CLOSE_AFTER_SILENCES = 3;
/** Longer than an upgrade takes from the Worker to the object. */
const REMOVED_FOR_MS = 10_000;
/** How old what the roster says of pings may be. */
const ROSTER_FRESH_MS = 1_000;
/** Links of one enrolment: two processes while one replaces the other, and what a broken network left of either. */
const PER_HOST_MAX = 4;
/** Jobs that hosts say they run and this object does not know, all hosts together. */
const CLAIMS_MAX = 20_000;
/** A host that does not say how much it can run at once. */
const SLOTS_DEFAULT = 1_000;

type Hello = Extract<ToEdge, { type: 'hello' }>;
type Status = Extract<ToEdge, { type: 'status' }>;
/** What a status tells of a process. */
type Shown = Pick<
  Member,
  'draining' | 'healthy' | 'checked' | 'failing' | 'reachedAtMs' | 'jobs' | 'cooling' | 'refusing' | 'refusals'
>;
type Process = { -readonly [K in keyof Member]: Member[K] } & { readonly socket: WebSocket; claimsUntil: number };

export class Links {
  readonly #ctx: DurableObjectState;
  readonly #limits: () => FleetLimits;
  readonly #onCut: (instance: string) => void;
  readonly #hosts = new Map<string, Set<WebSocket>>();
  readonly #processes = new Map<string, Process>();
  /** Sockets that have said nothing yet, and until when they may. */
  readonly #mute = new Map<WebSocket, number>();
  /** Jobs that this object gave to a process, whether its link stands or not. */
  readonly #given = new Map<string, Set<string>>();
  /** Hosts removed a moment ago: an upgrade that D1 let pass just before is still refused. */
  readonly #removedAt = new Map<string, number>();
  /** Until when a process is avoided. */
  readonly #doubtedUntil = new Map<string, number>();
  #claims = 0;
  #freshUntil = -Infinity;

  /** @param onCut called with a process whose link was closed for a fault of its own */
  constructor(ctx: DurableObjectState, limits: () => FleetLimits, onCut: (instance: string) => void) {
    this.#ctx = ctx;
    this.#limits = limits;
    this.#onCut = onCut;
    for (const socket of ctx.getWebSockets()) {
      const link = attached(socket);
      if (link === null || socket.readyState !== WebSocket.OPEN) continue;
      this.#keep(socket, link.host);
      if (link.hello === null) this.#mute.set(socket, link.connectedAt + limits().helloMs);
      else this.#processes.set(link.hello.instance, this.#process(socket, link, link.hello));
    }
  }

  /**
   * Takes a new socket of a host that has proven itself. Where the host has as many as it may, the one that was silent
   * for longest is closed: after a broken network that is a dead one, and the new one is not.
   * @returns false for a host that was removed meanwhile
   */
  accept(socket: WebSocket, host: string, ordered: boolean, now: number): boolean {
    if (now - (this.#removedAt.get(host) ?? -Infinity) < REMOVED_FOR_MS) return false;
    const sockets = [...(this.#hosts.get(host) ?? [])];
    const [stalest] = sockets.toSorted((a, b) => this.#heardAt(a) - this.#heardAt(b));
    if (stalest !== undefined && sockets.length >= PER_HOST_MAX) this.cut(stalest, CLOSE.crowded);
    this.#ctx.acceptWebSocket(socket, [host]);
    attach(socket, { v: 2, host, connectedAt: now, ordered, hello: null });
    this.#keep(socket, host);
    this.#mute.set(socket, now + this.#limits().helloMs);
    return true;
  }

  /**
   * The host has said who it is: its earlier socket, if one is still there, is closed.
   * @returns null for a process that is another host's: jobs go by the process, and no host gets those of another
   */
  greet(socket: WebSocket, hello: Hello, now: number): Member | null {
    const link = attached(socket);
    const twin = this.#processes.get(hello.instance);
    if (link === null || (twin !== undefined && twin.host !== link.host)) return null;
    if (twin !== undefined) this.close(twin.socket, CLOSE.replaced);
    const greeted: Greeted = {
      instance: hello.instance,
      version: hello.version ?? null,
      startedAt: hello.startedAt ?? now,
      egress: hello.egress,
      slots: hello.slots ?? SLOTS_DEFAULT,
      draining: false,
      healthy: hello.healthy,
      checked: false,
      failing: [],
      reachedAt: twin === undefined ? null : (attached(twin.socket)?.hello?.reachedAt ?? null),
      // Its status follows, and is the truth.
      jobs: 0,
      cooling: 0,
      refusing: 0,
      refusals: [],
    };
    attach(socket, { ...link, hello: greeted });
    this.#mute.delete(socket);
    const member = this.#process(socket, link, greeted);
    member.heardAt = now;
    if (this.#claims + hello.running.length <= CLAIMS_MAX) {
      member.running = hello.running;
      member.claimsUntil = now + this.#limits().unclaimedMs;
      this.#claims += hello.running.length;
    }
    this.#processes.set(hello.instance, member);
    sendTo(socket, { v: LINK_VERSION, type: 'welcome', draining: link.ordered });
    return { ...member, running: hello.running };
  }

  heard(socket: WebSocket, now: number): void {
    const member = this.#memberOf(socket);
    if (member !== null) member.heardAt = now;
  }

  /** @returns whether the host has begun or ceased to take jobs */
  update(
    socket: WebSocket,
    { draining, healthy, checked = false, failing = [], jobs, cooling, refusing = 0, refusals = [] }: Status,
  ): boolean {
    const link = attached(socket);
    const member = this.#memberOf(socket);
    if (link === null || link.hello === null || member === null) return false;
    const hello = { ...link.hello, draining, healthy, checked, failing, jobs, cooling, refusing, refusals };
    attach(socket, { ...link, hello });
    Object.assign(member, this.#shown(link, hello));
    return link.hello.draining !== draining || link.hello.healthy !== healthy;
  }

  /** Notes that a process runs a job of this object, or no longer does. */
  note(instance: string, jobId: string, runs: boolean): void {
    const given = this.#given.get(instance) ?? new Set<string>();
    if (runs) given.add(jobId);
    else given.delete(jobId);
    if (given.size > 0) this.#given.set(instance, given);
    else this.#given.delete(instance);
    const member = this.#processes.get(instance);
    if (member === undefined) return;
    if (member.running.includes(jobId)) {
      member.running = member.running.filter((id) => id !== jobId);
      this.#claims -= 1;
    }
    const hello = attached(member.socket)?.hello ?? null;
    member.jobs = Math.max(hello?.jobs ?? 0, given.size);
  }

  /** The jobs that this object gave to a process and still waits for. */
  given(instance: string): readonly string[] {
    return [...(this.#given.get(instance) ?? [])];
  }

  /** Notes that a mail server talked to a process: outlives the object. */
  reached(instance: string, now: number): void {
    const member = this.#processes.get(instance);
    const link = member === undefined ? null : attached(member.socket);
    if (member === undefined || link === null || link.hello === null) return;
    attach(member.socket, { ...link, hello: { ...link.hello, reachedAt: now } });
    member.reachedAtMs = now;
  }

  /** Remembers until when a process is avoided; a time that has passed: no longer. */
  doubt(instance: string, until: number, now: number): void {
    if (until > now) this.#doubtedUntil.set(instance, until);
    else this.#doubtedUntil.delete(instance);
    const member = this.#processes.get(instance);
    if (member !== undefined) member.doubted = until > now;
  }

  /** A process whose link stands. */
  member(instance: string): Member | null {
    return this.#processes.get(instance) ?? null;
  }

  isConnected(instance: string): boolean {
    return this.#processes.has(instance);
  }

  /** @returns host and process of a socket; the process is null before its hello, all is null for one that was closed */
  who(socket: WebSocket): { readonly host: string; readonly instance: string | null } | null {
    const link = attached(socket);
    if (link === null || this.#hosts.get(link.host)?.has(socket) !== true) return null;
    return { host: link.host, instance: link.hello?.instance ?? null };
  }

  send(instance: string, frame: ToHost): boolean {
    const member = this.#processes.get(instance);
    return member !== undefined && sendTo(member.socket, frame);
  }

  /** Closes a link. It is forgotten at once, whether or not its other end ever answers. */
  close(socket: WebSocket, code: number): void {
    this.forget(socket);
    closeWith(socket, code);
  }

  /** Closes a link for a fault of its own, and says so of its process. */
  cut(socket: WebSocket, code: number): void {
    const instance = this.who(socket)?.instance ?? null;
    this.close(socket, code);
    if (instance !== null) this.#onCut(instance);
  }

  /** A link is gone. */
  forget(socket: WebSocket): void {
    const link = attached(socket);
    const member = this.#memberOf(socket);
    this.#mute.delete(socket);
    if (member !== null) {
      this.#dropClaims(member);
      this.#processes.delete(member.instance);
    }
    const sockets = link === null ? undefined : this.#hosts.get(link.host);
    if (link === null || sockets === undefined) return;
    sockets.delete(socket);
    if (sockets.size === 0) this.#hosts.delete(link.host);
  }

  /** The processes whose links stand. Links that have been silent for long are closed on the way. */
  members(now: number): readonly Member[] {
    if (now >= this.#freshUntil) this.#refresh(now);
    return [...this.#processes.values()];
  }

  /**
   * Closes the links of which no hello came in time, and lets go of jobs that hosts said they run and that nobody has
   * asked for since.
   * @param isAwaited whether this object has the batch of a job
   * @returns when there is more to do, null for never
   */
  tidy(now: number, isAwaited: (jobId: string) => boolean): number | null {
    for (const [socket, until] of this.#mute) if (until <= now) this.close(socket, CLOSE.hello);
    for (const member of this.#processes.values()) {
      if (member.running.length === 0 || member.claimsUntil > now) continue;
      for (const job of member.running)
        if (!isAwaited(job)) sendTo(member.socket, { v: LINK_VERSION, type: 'cancel', job });
      this.#dropClaims(member);
    }
    for (const [host, at] of this.#removedAt) if (now - at >= REMOVED_FOR_MS) this.#removedAt.delete(host);
    const claims = [...this.#processes.values()].flatMap((m) => (m.running.length > 0 ? [m.claimsUntil] : []));
    const next = Math.min(...this.#mute.values(), ...claims);
    return next === Infinity ? null : next;
  }

  /** Puts an operator's order into effect. @returns the processes that were cut off */
  order(host: string, state: HostState, now: number): readonly string[] {
    const cut: string[] = [];
    if (state === 'removed') this.#removedAt.set(host, now);
    else this.#removedAt.delete(host);
    for (const socket of this.#hosts.get(host) ?? []) {
      const link = attached(socket);
      if (link === null) continue;
      if (state === 'removed') {
        this.close(socket, CLOSE.removed);
        if (link.hello !== null) cut.push(link.hello.instance);
        continue;
      }
      const ordered = { ...link, ordered: state === 'draining' };
      attach(socket, ordered);
      const member = this.#memberOf(socket);
      if (link.hello === null || member === null) continue;
      Object.assign(member, this.#shown(ordered, link.hello));
      sendTo(socket, { v: LINK_VERSION, type: 'drain', draining: ordered.ordered });
    }
    return cut;
  }

  /** The processes that were heard of lately. */
  heardOf(now: number): readonly Member[] {
    return this.members(now).filter((member) => isHeard(member, now, this.#limits().silentAfterMs));
  }

  #refresh(now: number): void {
    this.#freshUntil = now + ROSTER_FRESH_MS;
    for (const [instance, end] of this.#doubtedUntil) if (end <= now) this.#doubtedUntil.delete(instance);
    for (const member of this.#processes.values()) {
      member.heardAt = Math.min(now, Math.max(member.heardAt, this.#heardAt(member.socket)));
      member.doubted = this.#doubtedUntil.has(member.instance);
      if (now - member.heardAt > this.#limits().silentAfterMs * CLOSE_AFTER_SILENCES)
        this.cut(member.socket, CLOSE.silent);
    }
  }

  #keep(socket: WebSocket, host: string): void {
    const sockets = this.#hosts.get(host);
    if (sockets === undefined) this.#hosts.set(host, new Set([socket]));
    else sockets.add(socket);
  }

  #process(socket: WebSocket, link: Attachment, hello: Greeted): Process {
    return {
      socket,
      claimsUntil: 0,
      host: link.host,
      instance: hello.instance,
      egress: hello.egress,
      version: hello.version,
      startedAt: hello.startedAt,
      slots: hello.slots,
      heardAt: this.#heardAt(socket),
      doubted: this.#doubtedUntil.has(hello.instance),
      running: [],
      ...this.#shown(link, hello),
    };
  }

  /** What changes of a member with its status and with an operator's order. */
  #shown(link: Attachment, hello: Greeted): Shown {
    const { draining, healthy, checked, failing, jobs, cooling, refusing, refusals } = hello;
    // What it said last may be older than what it was given since.
    const given = this.#given.get(hello.instance)?.size ?? 0;
    const reachedAtMs = hello.reachedAt ?? -Infinity;
    return {
      draining: link.ordered || draining,
      healthy,
      checked,
      failing,
      reachedAtMs,
      cooling,
      refusing,
      refusals,
      jobs: Math.max(jobs, given),
    };
  }

  /** Pings are answered by the runtime, which keeps their time itself. */
  #heardAt(socket: WebSocket): number {
    const pingedAt = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    return Math.max(attached(socket)?.connectedAt ?? 0, pingedAt, this.#memberOf(socket)?.heardAt ?? 0);
  }

  #memberOf(socket: WebSocket): Process | null {
    const member = this.#processes.get(attached(socket)?.hello?.instance ?? '');
    return member?.socket === socket ? member : null;
  }

  #dropClaims(member: Process): void {
    this.#claims -= member.running.length;
    member.running = [];
  }
}
