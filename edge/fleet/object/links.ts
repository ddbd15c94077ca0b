import { CLOSE, hostStatusSchema, LINK_VERSION, type ToEdge } from '../../../schema/link.ts';
import type { HostState } from '../../../schema/words/stored.ts';
import type { FleetLimits } from '../batch/limits.ts';
import type { Member } from '../trust/host.ts';
import { attach, attached, type Greeted } from './attachment.ts';
import { Processes } from './processes.ts';
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

type Sockets = Pick<DurableObjectState, 'acceptWebSocket' | 'getWebSockets' | 'getWebSocketAutoResponseTimestamp'>;
type Hello = Extract<ToEdge, { type: 'hello' }>;
type Status = Extract<ToEdge, { type: 'status' }>;

export class Links {
  readonly processes = new Processes();
  /** Called with a process whose link was closed for a fault of its own. @param code of the WebSocket */
  onCut: (process: Member, code: number) => void = () => {};
  readonly #ctx: Sockets;
  readonly #limits: () => FleetLimits;
  readonly #hosts = new Map<string, Set<WebSocket>>();
  /** Hosts removed a moment ago: an upgrade that D1 let pass just before is still refused. */
  readonly #removedAt = new Map<string, number>();
  #freshUntil = -Infinity;

  constructor(ctx: Sockets, limits: () => FleetLimits) {
    this.#ctx = ctx;
    this.#limits = limits;
    for (const socket of ctx.getWebSockets()) {
      const link = attached(socket);
      if (link === null || socket.readyState !== WebSocket.OPEN) continue;
      // Waiting for a hello keeps an object awake: nobody waits for this one any more.
      if (link.hello === null) {
        closeWith(socket, CLOSE.hello);
        continue;
      }
      this.#keep(socket, link.host);
      this.processes.add(socket, link, link.hello, this.#heardAt(socket));
    }
  }

  /**
   * Takes a new socket of a host that has proven itself. If the host has as many as it may, the one that was silent for
   * longest is closed: after a broken network that is a dead one, and the new one is not.
   * @returns false for a host that was removed meanwhile
   */
  accept(socket: WebSocket, host: string, ordered: boolean, now: number): boolean {
    if (now - (this.#removedAt.get(host) ?? -Infinity) < REMOVED_FOR_MS) return false;
    const sockets = [...(this.#hosts.get(host) ?? [])];
    const [stalest] = sockets.toSorted((a, b) => this.#heardAt(a) - this.#heardAt(b));
    if (stalest !== undefined && sockets.length >= PER_HOST_MAX) this.cut(stalest, CLOSE.crowded);
    this.#ctx.acceptWebSocket(socket, [host]);
    attach(socket, { v: 3, host, connectedAt: now, ordered, hello: null });
    this.#keep(socket, host);
    return true;
  }

  /**
   * The host has said who it is: its earlier socket, if one is still there, is closed.
   * @returns null for a process that is another host's: jobs go by the process, and no host gets those of another
   */
  greet(socket: WebSocket, hello: Hello, now: number): Member | null {
    const link = attached(socket);
    const twin = this.processes.get(hello.instance);
    if (link === null || (twin !== null && twin.host !== link.host)) return null;
    if (twin !== null) this.close(twin.socket, CLOSE.replaced);
    const greeted = greetedBy(hello, twin?.hello.reachedAt ?? null);
    attach(socket, { ...link, hello: greeted });
    const process = this.processes.add(socket, link, greeted, now);
    sendTo(socket, { v: LINK_VERSION, type: 'welcome', draining: link.ordered });
    return process;
  }

  heard(socket: WebSocket, now: number): void {
    const process = this.processes.of(socket);
    if (process !== null) process.heardAt = now;
  }

  /** @returns whether the host has begun or ceased to take jobs */
  update(socket: WebSocket, said: Status): boolean {
    const link = attached(socket);
    const process = this.processes.of(socket);
    if (link === null || process === null) return false;
    const { status: before } = process.hello;
    const status = hostStatusSchema.parse(said);
    this.processes.show(process, link, { ...process.hello, status });
    return before.draining !== status.draining || before.healthy !== status.healthy;
  }

  /** @returns host and process of a socket; the process is null before its hello, all is null for one that was closed */
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

  /** Closes a link for a fault of its own, and says so of its process. */
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

  /** The processes that were heard of lately. Links that have been silent for long are closed on the way. */
  members(now: number): readonly Member[] {
    if (now >= this.#freshUntil) this.#refresh(now);
    return this.processes.all.filter(({ heardAt }) => now - heardAt <= this.#limits().silentAfterMs);
  }

  /** Puts an operator's order into effect. @returns the processes that were cut off */
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

  /** Pings are answered by the runtime, which keeps their time itself. */
  #heardAt(socket: WebSocket): number {
    const pingedAt = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    return Math.max(attached(socket)?.connectedAt ?? 0, pingedAt, this.processes.of(socket)?.heardAt ?? 0);
  }
}

/** @param reachedAt when a mail server last talked to the process, as its earlier link knew */
function greetedBy(hello: Hello, reachedAt: number | null): Greeted {
  const { instance, version = null, startedAt, egress, slots, healthy } = hello;
  // Its status follows, and is the truth.
  const unknown = { draining: false, checked: false, failing: [], jobs: 0, cooling: 0, refusing: 0, refusals: [] };
  return { instance, version, startedAt, egress, slots, reachedAt, status: { ...unknown, healthy } };
}
