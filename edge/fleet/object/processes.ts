import type { ToHost } from '../../../schema/link.ts';
import type { Member } from '../trust/host.ts';
import { attach, type Attachment, attached, type Greeted } from './attachment.ts';
import { sendTo } from './socket.ts';

/** Processes without a link that are known; beyond this many, the ones longest without one are forgotten. */
const KNOWN_MAX = 1_000;
/** The time of the last answer of a mail server is stored at most this often. */
const REACH_KEPT_MS = 10_000;

/**
 * One process of a host, as it said itself, and what this object did about it. It stays known when its link breaks: its
 * report may be judged afterwards, and it may come back to its jobs.
 */
export type Process = { -readonly [K in keyof Member]: Member[K] } & {
  /** Null: its link broke. */
  socket: WebSocket | null;
  hello: Greeted;
  /** Its jobs of this object, and the number of addresses of each. */
  readonly given: Map<string, number>;
  /** Why it is not healthy, as the operator was told last; null: it is. */
  told: string | null;
};
type Linked = Process & { readonly socket: WebSocket };

/** The processes of hosts that have said hello. */
export class Processes {
  readonly #known = new Map<string, Process>();

  /** Those with a link. */
  get all(): readonly Linked[] {
    return [...this.#known.values()].filter(isLinked);
  }

  /** Null for one without a link. */
  get(instance: string): Linked | null {
    const process = this.known(instance);
    return process !== null && isLinked(process) ? process : null;
  }

  known(instance: string): Process | null {
    return this.#known.get(instance) ?? null;
  }

  /** The process of a socket; null before its hello, and for a socket that was replaced. */
  of(socket: WebSocket): Linked | null {
    const process = this.get(attached(socket)?.hello?.instance ?? '');
    return process?.socket === socket ? process : null;
  }

  add(socket: WebSocket, link: Attachment, hello: Greeted, heardAt: number): Process {
    const before = this.known(hello.instance);
    const { given = new Map<string, number>(), told = null, reachedAtMs = -Infinity } = before ?? {};
    const process = { socket, hello, heardAt, given, told, addresses: 0, ...shownBy(link, hello, reachedAtMs) };
    this.#known.set(hello.instance, process);
    recount(process);
    return process;
  }

  remove(process: Process): void {
    process.socket = null;
    this.#known.delete(process.instance);
    this.#known.set(process.instance, process);
    for (const old of this.#known.values()) {
      if (this.#known.size <= KNOWN_MAX) return;
      if (!isLinked(old) && old.given.size === 0) this.#known.delete(old.instance);
    }
  }

  /** Its status or an operator's order has changed: stored beyond a reset of the object. */
  show(process: Linked, link: Attachment, hello: Greeted): void {
    attach(process.socket, { ...link, hello });
    Object.assign(process, shownBy(link, hello, process.reachedAtMs), { hello });
    recount(process);
  }

  /** A mail server answered a process: stored beyond a reset of the object. */
  reached(instance: string, now: number): void {
    const process = this.known(instance);
    if (process === null) return;
    process.reachedAtMs = now;
    const link = isLinked(process) ? attached(process.socket) : null;
    const { reachedAt } = process.hello;
    if (isLinked(process) && link !== null && now - (reachedAt ?? -Infinity) >= REACH_KEPT_MS)
      this.show(process, link, { ...process.hello, reachedAt: now });
  }

  /** @returns false if there is no such process, or its socket is not open */
  send(instance: string, frame: ToHost): boolean {
    const process = this.get(instance);
    return process !== null && sendTo(process.socket, frame);
  }

  /** The process has this job of this object from now on. */
  jobBegan(instance: string, jobId: string, addresses: number): void {
    const process = this.known(instance);
    process?.given.set(jobId, addresses);
    if (process !== null) recount(process);
  }

  /** The process has it no longer. */
  jobEnded(instance: string, jobId: string): void {
    const process = this.known(instance);
    process?.given.delete(jobId);
    if (process !== null) recount(process);
  }

  /** The jobs that this object gave to a process and still waits for. */
  jobsOf(instance: string): readonly string[] {
    return [...(this.known(instance)?.given.keys() ?? [])];
  }
}

function isLinked(process: Process): process is Linked {
  return process.socket !== null;
}

function recount(process: Process): void {
  // Its last status may be older than the jobs it was given since.
  process.jobs = Math.max(process.hello.status.jobs, process.given.size);
  process.addresses = 0;
  for (const addresses of process.given.values()) process.addresses += addresses;
}

/** What a link says about its process. @param reachedAtMs as far as this object knows */
function shownBy({ host, ordered }: Attachment, { status, reachedAt, ...said }: Greeted, reachedAtMs: number) {
  const draining = ordered || status.draining;
  return { host, ...said, ...status, draining, reachedAtMs: Math.max(reachedAtMs, reachedAt ?? -Infinity) };
}
