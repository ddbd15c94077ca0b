import { LINK_VERSION, type ToHost } from '../../../schema/link.ts';
import type { Member } from '../trust/roster.ts';
import { type Attachment, attached, type Greeted } from './attachment.ts';
import { sendTo } from './socket.ts';

/** Jobs that hosts say they run and this object does not know, all hosts together. */
const CLAIMS_MAX = 20_000;

/** What a status tells of a process. */
export type Shown = Pick<
  Member,
  | 'draining'
  | 'healthy'
  | 'checked'
  | 'failing'
  | 'reachedAtMs'
  | 'jobs'
  | 'addresses'
  | 'cooling'
  | 'refusing'
  | 'refusals'
>;
export type Process = { -readonly [K in keyof Member]: Member[K] } & {
  readonly socket: WebSocket;
  claimsUntil: number;
};

/** The processes of hosts that have said hello and whose links stand, and the jobs that they have. */
export class Processes {
  readonly #byInstance = new Map<string, Process>();
  /** Jobs that this object gave to a process, whether its link stands or not, and how many addresses each has. */
  readonly #jobs = new Map<string, Map<string, number>>();
  /** Until when a process that left a job unanswered is avoided. */
  readonly #unresponsiveUntil = new Map<string, number>();
  #claims = 0;

  get all(): readonly Process[] {
    return [...this.#byInstance.values()];
  }

  get(instance: string): Process | null {
    return this.#byInstance.get(instance) ?? null;
  }

  /** The process of a socket; null before its hello, and for a socket that was replaced. */
  of(socket: WebSocket): Process | null {
    const process = this.get(attached(socket)?.hello?.instance ?? '');
    return process?.socket === socket ? process : null;
  }

  add(socket: WebSocket, link: Attachment, hello: Greeted, heardAt: number): Process {
    const { instance, egress, version, startedAt, slots } = hello;
    const process: Process = {
      socket,
      claimsUntil: 0,
      host: link.host,
      instance,
      egress,
      version,
      startedAt,
      slots,
      heardAt,
      unresponsive: this.#unresponsiveUntil.has(instance),
      running: [],
      ...this.#shownBy(link, hello),
    };
    this.#byInstance.set(instance, process);
    return process;
  }

  remove(process: Process): void {
    this.#dropClaims(process);
    this.#byInstance.delete(process.instance);
  }

  /** Its status has changed, or an operator's order. */
  show(process: Process, link: Attachment, hello: Greeted): void {
    Object.assign(process, this.#shownBy(link, hello));
  }

  /** @returns false if there is no such process, or its socket is not open */
  send(instance: string, frame: ToHost): boolean {
    const process = this.get(instance);
    return process !== null && sendTo(process.socket, frame);
  }

  /** The process has this job of this object from now on. */
  jobBegan(instance: string, jobId: string, addresses: number): void {
    this.#jobs.set(instance, (this.#jobs.get(instance) ?? new Map<string, number>()).set(jobId, addresses));
    this.#recount(instance, jobId);
  }

  /** The process has it no longer. */
  jobEnded(instance: string, jobId: string): void {
    const jobs = this.#jobs.get(instance);
    jobs?.delete(jobId);
    if (jobs?.size === 0) this.#jobs.delete(instance);
    this.#recount(instance, jobId);
  }

  /** The jobs that this object gave to a process and still waits for. */
  jobsOf(instance: string): readonly string[] {
    return [...(this.#jobs.get(instance)?.keys() ?? [])];
  }

  /** What a process says it runs, of which this object does not know: for a time somebody may ask for it. */
  claim(process: Process, running: readonly string[], until: number): void {
    if (this.#claims + running.length > CLAIMS_MAX) return;
    process.running = running;
    process.claimsUntil = until;
    this.#claims += running.length;
  }

  /**
   * Cancels jobs that hosts said they run and that nobody has asked for since.
   * @param isAwaited whether this object has the batch of a job
   * @returns when the next may be due, Infinity for never
   */
  expireClaims(now: number, isAwaited: (jobId: string) => boolean): number {
    let next = Infinity;
    for (const process of this.#byInstance.values()) {
      if (process.running.length === 0) continue;
      if (process.claimsUntil > now) {
        next = Math.min(next, process.claimsUntil);
        continue;
      }
      for (const job of process.running)
        if (!isAwaited(job)) sendTo(process.socket, { v: LINK_VERSION, type: 'cancel', job });
      this.#dropClaims(process);
    }
    return next;
  }

  /** Remembers until when a process is avoided; a time that has passed: no longer. */
  setUnresponsive(instance: string, until: number, now: number): void {
    if (until > now) this.#unresponsiveUntil.set(instance, until);
    else this.#unresponsiveUntil.delete(instance);
    const process = this.get(instance);
    if (process !== null) process.unresponsive = until > now;
  }

  /** Ends the avoiding of those whose time has passed. */
  expireUnresponsive(now: number): void {
    for (const [instance, end] of this.#unresponsiveUntil) if (end <= now) this.#unresponsiveUntil.delete(instance);
    for (const process of this.#byInstance.values())
      process.unresponsive = this.#unresponsiveUntil.has(process.instance);
  }

  #recount(instance: string, jobId: string): void {
    const process = this.get(instance);
    if (process === null) return;
    if (process.running.includes(jobId)) {
      process.running = process.running.filter((id) => id !== jobId);
      this.#claims -= 1;
    }
    const hello = attached(process.socket)?.hello ?? null;
    process.jobs = Math.max(hello?.jobs ?? 0, this.#jobs.get(instance)?.size ?? 0);
    process.addresses = this.#addressesOf(instance);
  }

  #addressesOf(instance: string): number {
    let sum = 0;
    for (const addresses of this.#jobs.get(instance)?.values() ?? []) sum += addresses;
    return sum;
  }

  /** What changes of a process with its status and with an operator's order. */
  #shownBy(link: Attachment, hello: Greeted): Shown {
    const { draining, healthy, checked, failing, jobs, cooling, refusing, refusals } = hello;
    return {
      draining: link.ordered || draining,
      healthy,
      checked,
      failing,
      reachedAtMs: hello.reachedAt ?? -Infinity,
      cooling,
      refusing,
      refusals,
      // What it said last may be older than what it was given since.
      jobs: Math.max(jobs, this.#jobs.get(hello.instance)?.size ?? 0),
      addresses: this.#addressesOf(hello.instance),
    };
  }

  #dropClaims(process: Process): void {
    this.#claims -= process.running.length;
    process.running = [];
  }
}
