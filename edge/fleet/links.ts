import * as z from 'zod';
import { canarySchema, CLOSE, LINK_VERSION, type ToEdge, type ToHost } from '../../schema/link.ts';
import type { HostState } from '../../schema/stored-words.ts';
import type { ConnectedHost } from './protocol.ts';
import type { Member } from './roster.ts';

// The links of one Fleet object. What is known of a host is attached to its socket, so that an object that hibernated
// still knows its roster.

/** An attachment may be 16 KiB; a job id is at most 68 characters. */
const RUNNING_MAX = 100;
/** Beyond what an object counts as silent: the link is of no use to anyone. */
const CLOSE_AFTER_SILENCES = 3;
/** Longer than an upgrade takes from the Worker to the object. */
const REMOVED_FOR_MS = 10_000;

const attachmentSchema = z.object({
  v: z.literal(1),
  host: z.string(),
  connectedAt: z.number(),
  /** An operator drains the host. */
  ordered: z.boolean(),
  /** Null until the hello. */
  hello: z
    .object({
      instance: z.string(),
      startedAt: z.number(),
      egress: z.array(z.string()),
      draining: z.boolean(),
      healthy: z.boolean(),
      checked: z.boolean(),
      failing: z.array(canarySchema),
      /** Null: no mail server has talked to it yet. */
      reachedAt: z.number().nullable(),
      jobs: z.number(),
      cooling: z.number(),
      running: z.array(z.string()),
    })
    .nullable(),
});
type Attachment = z.infer<typeof attachmentSchema>;
type Hello = Extract<ToEdge, { type: 'hello' }>;
type Status = Extract<ToEdge, { type: 'status' }>;

export class Links {
  readonly #ctx: DurableObjectState;
  /** When a socket's last frame came. Pings are answered by the runtime, which keeps their time itself. */
  readonly #frameAt = new WeakMap<WebSocket, number>();
  /** Hosts removed a moment ago: an upgrade that D1 let pass just before is still refused. */
  readonly #removedAt = new Map<string, number>();
  /** Until when a process is avoided. */
  readonly #doubtedUntil = new Map<string, number>();

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
  }

  /** Takes a new socket of a host that has proven itself. @returns false for a host that was removed meanwhile */
  accept(socket: WebSocket, host: string, ordered: boolean, now: number): boolean {
    if (now - (this.#removedAt.get(host) ?? 0) < REMOVED_FOR_MS) return false;
    this.#ctx.acceptWebSocket(socket, [host]);
    attach(socket, { v: 1, host, connectedAt: now, ordered, hello: null });
    return true;
  }

  /**
   * The host has said who it is: its earlier socket, if one is still there, is closed.
   * @returns null for a process that is another host's: jobs go by the process, and no host gets those of another
   */
  greet(socket: WebSocket, hello: Hello, now: number): Member | null {
    const link = attached(socket);
    const others = this.#ctx.getWebSockets().filter((other) => other !== socket);
    const twins = others.filter((other) => attached(other)?.hello?.instance === hello.instance);
    if (link === null || twins.some((twin) => attached(twin)?.host !== link.host)) return null;
    for (const twin of twins) this.close(twin, CLOSE.replaced);
    attach(socket, {
      ...link,
      hello: {
        instance: hello.instance,
        startedAt: hello.startedAt ?? now,
        egress: hello.egress,
        draining: false,
        healthy: hello.healthy,
        checked: false,
        failing: [],
        reachedAt: attached(twins[0] ?? socket)?.hello?.reachedAt ?? null,
        jobs: hello.running.length,
        cooling: 0,
        running: hello.running.slice(-RUNNING_MAX),
      },
    });
    this.heard(socket, now);
    this.sendTo(socket, { v: LINK_VERSION, type: 'welcome', draining: link.ordered });
    const member = this.memberOf(socket, now);
    // A hello may name more jobs than an attachment holds.
    return member === null ? null : { ...member, running: hello.running };
  }

  heard(socket: WebSocket, now: number): void {
    this.#frameAt.set(socket, now);
  }

  /** @returns whether the host has begun or ceased to take jobs */
  update(socket: WebSocket, { draining, healthy, checked = false, failing = [], jobs, cooling }: Status): boolean {
    const link = attached(socket);
    if (link === null || link.hello === null) return false;
    attach(socket, { ...link, hello: { ...link.hello, draining, healthy, checked, failing, jobs, cooling } });
    return link.hello.draining !== draining || link.hello.healthy !== healthy;
  }

  /** Notes that a process runs a job, or no longer does. */
  note(instance: string, jobId: string, runs: boolean): void {
    const socket = this.#socketOf(instance);
    const link = socket === null ? null : attached(socket);
    if (socket === null || link === null || link.hello === null) return;
    const others = link.hello.running.filter((id) => id !== jobId);
    const running = runs ? [...others, jobId].slice(-RUNNING_MAX) : others;
    attach(socket, { ...link, hello: { ...link.hello, running } });
  }

  /** Notes that a mail server talked to a process: outlives the object. */
  reached(instance: string, now: number): void {
    const socket = this.#socketOf(instance);
    const link = socket === null ? null : attached(socket);
    if (socket === null || link === null || link.hello === null) return;
    attach(socket, { ...link, hello: { ...link.hello, reachedAt: now } });
  }

  /** Remembers until when a process is avoided; a time that has passed: no longer. */
  doubt(instance: string, until: number, now: number): void {
    this.#doubtedUntil.set(instance, until);
    for (const [process, end] of this.#doubtedUntil) if (end <= now) this.#doubtedUntil.delete(process);
  }

  /** @returns host and process of a socket; the process is null before its hello, all is null for one that is closed */
  who(socket: WebSocket): { readonly host: string; readonly instance: string | null } | null {
    const link = attached(socket);
    return link === null ? null : { host: link.host, instance: link.hello?.instance ?? null };
  }

  send(instance: string, frame: ToHost): boolean {
    const socket = this.#socketOf(instance);
    return socket !== null && this.sendTo(socket, frame);
  }

  sendTo(socket: WebSocket, frame: ToHost): boolean {
    if (socket.readyState !== WebSocket.OPEN) return false;
    try {
      socket.send(JSON.stringify(frame));
      return true;
    } catch {
      return false;
    }
  }

  close(socket: WebSocket, code: number): void {
    try {
      socket.close(code, reasonOf(code));
    } catch {
      // It is closed already.
    }
  }

  /** The processes whose links stand. Links that have been silent for long are closed on the way. */
  members(now: number, silentAfterMs: number): readonly Member[] {
    return this.#ctx.getWebSockets().flatMap((socket) => {
      const member = socket.readyState === WebSocket.OPEN ? this.memberOf(socket, now) : null;
      if (member === null) return [];
      if (now - member.heardAt <= silentAfterMs * CLOSE_AFTER_SILENCES) return [member];
      this.close(socket, CLOSE.silent);
      return [];
    });
  }

  /** Puts an operator's order into effect. @returns the processes that were cut off */
  order(host: string, state: HostState, now: number): readonly string[] {
    const cut: string[] = [];
    if (state === 'removed') this.#removedAt.set(host, now);
    else this.#removedAt.delete(host);
    for (const socket of this.#ctx.getWebSockets(host)) {
      const link = attached(socket);
      if (link === null) continue;
      if (state === 'removed') {
        this.close(socket, CLOSE.removed);
        if (link.hello !== null) cut.push(link.hello.instance);
        continue;
      }
      const draining = state === 'draining';
      attach(socket, { ...link, ordered: draining });
      if (link.hello !== null) this.sendTo(socket, { v: LINK_VERSION, type: 'drain', draining });
    }
    return cut;
  }

  /**
   * Every connected enrolment, its processes together.
   * @param complaint why a process is not healthy, null if it is
   */
  hosts(now: number, silentAfterMs: number, complaint: (member: Member) => string | null): ConnectedHost[] {
    const hosts = new Map<string, Member[]>();
    for (const member of this.members(now, silentAfterMs)) {
      if (now - member.heardAt > silentAfterMs) continue;
      hosts.set(member.host, [...(hosts.get(member.host) ?? []), member]);
    }
    return [...hosts].map(([id, members]) => {
      const complaints = members.map(complaint);
      const why = complaints.includes(null) ? null : (complaints[0] ?? null);
      return {
        id,
        instances: members.length,
        draining: members.every((m) => m.draining),
        healthy: why === null,
        why,
        jobs: members.reduce((sum, m) => sum + m.jobs, 0),
      };
    });
  }

  /** The process at the other end; null before its hello. */
  memberOf(socket: WebSocket, now: number): Member | null {
    const link = attached(socket);
    if (link === null || link.hello === null) return null;
    const { hello } = link;
    const pingedAt = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    return {
      host: link.host,
      instance: hello.instance,
      egress: hello.egress,
      startedAt: hello.startedAt,
      heardAt: Math.min(now, Math.max(link.connectedAt, pingedAt, this.#frameAt.get(socket) ?? 0)),
      draining: link.ordered || hello.draining,
      healthy: hello.healthy,
      checked: hello.checked,
      failing: hello.failing,
      reachedAtMs: hello.reachedAt ?? -Infinity,
      // What it said last may be older than what it was given since.
      jobs: Math.max(hello.jobs, hello.running.length),
      cooling: hello.cooling,
      doubted: now < (this.#doubtedUntil.get(hello.instance) ?? 0),
      running: hello.running,
    };
  }

  #socketOf(instance: string): WebSocket | null {
    for (const socket of this.#ctx.getWebSockets()) {
      if (socket.readyState === WebSocket.OPEN && attached(socket)?.hello?.instance === instance) return socket;
    }
    return null;
  }
}

/** What was written while this object is awake: every frame asks for it, and to read it back is not cheap. */
const known = new WeakMap<WebSocket, Attachment>();

/** Only this file's own code writes attachments; one of another version (an older object's) is as good as none. */
function attached(socket: WebSocket): Attachment | null {
  const link = known.get(socket);
  if (link !== undefined) return link;
  const parsed = attachmentSchema.safeParse(socket.deserializeAttachment());
  if (!parsed.success) return null;
  known.set(socket, parsed.data);
  return parsed.data;
}

function attach(socket: WebSocket, link: Attachment): void {
  socket.serializeAttachment(link);
  known.set(socket, link);
}

function reasonOf(code: number): string {
  const [reason] = Object.entries(CLOSE).find(([, value]) => value === code) ?? ['closed'];
  return reason;
}
