import { CLOSE, hostStatusSchema, LINK_VERSION, type ToEdge } from '../../../schema/link.ts';
import type { HostState } from '../../../schema/words/stored.ts';
import type { FleetLimits } from '../batch/limits.ts';
import type { Member } from '../trust/host.ts';
import { attach, attached, type Greeted } from './attachment.ts';
import { type Process, Processes } from './processes.ts';
import { closeWith, sendTo } from './socket.ts';

// The links of one Fleet object, indexed by process and by host: no lookup scans all of them.

/** Well beyond what an object counts as silent: the link is of no use. */
const CLOSE_AFTER_SILENCES = 3;
/** Longer than an upgrade takes from the Worker to the object. */
const REMOVED_FOR_MS = 10_000;
/** How old the roster's knowledge of pings may be. */
const ROSTER_FRESH_MS = 1_000;
/**
 * Links per enrolment: two processes while one replaces the other, and dead links of either after a network failure.
 */
const PER_HOST_MAX = 4;

type Sockets = Pick<DurableObjectState, 'acceptWebSocket' | 'getWebSockets' | 'getWebSocketAutoResponseTimestamp'>;
type Hello = Extract<ToEdge, { type: 'hello' }>;
type Status = Extract<ToEdge, { type: 'status' }>;

export class Links {
  readonly processes = new Processes();
  /** Called with a process whose link was closed because it misbehaved. @param code of the WebSocket */
  onCut: (process: Member, code: number) => void = () => {};
  readonly #ctx: Sockets;
  readonly #limits: () => FleetLimits;
  readonly #hosts = new Map<string, Set<WebSocket>>();
  /** Hosts removed a moment ago: an upgrade that D1 allowed just before is still refused. */
  readonly #removedAt = new Map<string, number>();
  #freshUntil = -Infinity;

  constructor(ctx: Sockets, limits: () => FleetLimits) {
    this.#ctx = ctx;
    this.#limits = limits;
    for (const socket of ctx.getWebSockets()) {
      const link = attached(socket);
      if (link === null || socket.readyState !== WebSocket.OPEN) continue;
      // Waiting for a hello keeps an object awake: this one is no longer awaited.
      if (link.hello === null) {
        closeWith(socket, CLOSE.hello);
        continue;
      }
      this.#keep(socket, link.host);
      this.processes.add(socket, link, link.hello, this.#heardAt(socket));
    }
  }

  /**
   * Adds a new socket of an authenticated host. If the host has its maximum, the one silent for longest is closed:
   * after a network failure that one is dead, and the new one is not.
   * @returns false for a host that was removed meanwhile
   */
  accept(socket: WebSocket, host: string, ordered: boolean, now: number): boolean {
    if (now - (this.#removedAt.get(host) ?? -Infinity) < REMOVED_FOR_MS) return false;
    const sockets = [...(this.#hosts.get(host) ?? [])];
    const [stalest] = sockets.toSorted((a, b) => this.#heardAt(a) - this.#heardAt(b));
    if (stalest !== undefined && sockets.length >= PER_HOST_MAX) this.cut(stalest, CLOSE.crowded);
    this.#ctx.acceptWebSocket(socket, [host]);
    attach(socket, { v: 1, host, connectedAt: now, ordered, hello: null });
    this.#keep(socket, host);
    return true;
  }

  /**
   * The host said hello: its earlier socket, if still there, is closed.
   * @returns null if the process belongs to another host: jobs are addressed by process, and no host gets those of
   * another
   */
  greet(socket: WebSocket, hello: Hello, now: number): Member | null {
    const link = attached(socket);
    const before = this.processes.known(hello.instance);
    if (link === null || (before !== null && before.host !== link.host)) return null;
    if (before !== null && before.socket !== null) this.close(before.socket, CLOSE.replaced);
    const greeted = greetedBy(hello, before?.hello.reachedAt ?? null);
    attach(socket, { ...link, hello: greeted });
    const process = this.processes.add(socket, link, greeted, now);
    sendTo(socket, { v: LINK_VERSION, type: 'welcome', draining: link.ordered });
    return process;
  }

  heard(socket: WebSocket, now: number): void {
    const process = this.processes.of(socket);
    if (process !== null) process.heardAt = now;
  }

  /** @returns whether the host started or stopped taking jobs */
  update(socket: WebSocket, said: Status): boolean {
    const link = attached(socket);
    const process = this.processes.of(socket);
    if (link === null || process === null) return false;
    const { status: before } = process.hello;
    const status = hostStatusSchema.parse(said);
    this.processes.show(process, link, { ...process.hello, status });
    return before.draining !== status.draining || before.healthy !== status.healthy;
  }

  /** @returns host and process of a socket; process null before its hello, null altogether for a closed one */
  who(socket: WebSocket): { readonly host: string; readonly instance: string | null } | null {
    const link = attached(socket);
    if (link === null || this.#hosts.get(link.host)?.has(socket) !== true) return null;
    return { host: link.host, instance: link.hello?.instance ?? null };
  }

  /** Closes a link. It is forgotten at once, whether or not its other end ever answers. */
  close(socket: WebSocket, code: number): void {
    this.forget(socket);
    closeWith(socket, code);
  }

  /** Closes a link that misbehaves, and reports its process. */
  cut(socket: WebSocket, code: number): void {
    const process = this.processes.of(socket);
    this.close(socket, code);
    if (process !== null) this.onCut(process, code);
  }

  /** A link is gone. */
  forget(socket: WebSocket): void {
    const link = attached(socket);
    const process = this.processes.of(socket);
    if (process !== null) this.processes.remove(process);
    const sockets = link === null ? undefined : this.#hosts.get(link.host);
    if (link === null || sockets === undefined) return;
    sockets.delete(socket);
    if (sockets.size === 0) this.#hosts.delete(link.host);
  }

  /** The processes with a recent sign of life. Links that have been silent for long are closed on the way. */
  members(now: number): readonly Process[] {
    if (now >= this.#freshUntil) this.#refresh(now);
    return this.processes.all.filter(({ heardAt }) => now - heardAt <= this.#limits().silentAfterMs);
  }

  /** Carries out an operator's order. @returns the processes that were cut off */
  order(host: string, state: HostState, now: number): readonly string[] {
    const cut: string[] = [];
    for (const [id, at] of this.#removedAt) if (now - at >= REMOVED_FOR_MS) this.#removedAt.delete(id);
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
      const process = this.processes.of(socket);
      if (process === null) continue;
      this.processes.show(process, ordered, process.hello);
      sendTo(socket, { v: LINK_VERSION, type: 'drain', draining: ordered.ordered });
    }
    return cut;
  }

  #refresh(now: number): void {
    this.#freshUntil = now + ROSTER_FRESH_MS;
    for (const process of this.processes.all) {
      process.heardAt = Math.min(now, Math.max(process.heardAt, this.#heardAt(process.socket)));
      if (now - process.heardAt > this.#limits().silentAfterMs * CLOSE_AFTER_SILENCES)
        this.cut(process.socket, CLOSE.silent);
    }
  }

  #keep(socket: WebSocket, host: string): void {
    const sockets = this.#hosts.get(host);
    if (sockets === undefined) this.#hosts.set(host, new Set([socket]));
    else sockets.add(socket);
  }

  /** The runtime answers pings and keeps their time itself. */
  #heardAt(socket: WebSocket): number {
    const pingedAt = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    return Math.max(attached(socket)?.connectedAt ?? 0, pingedAt, this.processes.of(socket)?.heardAt ?? 0);
  }
}

/** @param reachedAt when a mail server last answered the process, according to its earlier link */
function greetedBy(hello: Hello, reachedAt: number | null): Greeted {
  const { instance, version, startedAt, egress, slots, healthy } = hello;
  // Its status follows, and is authoritative.
  const unknown = {
    draining: false,
    checked: false,
    failing: [],
    jobs: 0,
    cooling: 0,
    refusals: [],
    egressTroubles: [],
  };
  return { instance, version, startedAt, egress, slots, reachedAt, status: { ...unknown, healthy } };
}
