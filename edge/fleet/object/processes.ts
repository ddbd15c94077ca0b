import type { ToHost } from '../../../schema/link.ts';
import type { Member } from '../trust/host.ts';
import { attach, type Attachment, attached, type Greeted } from './attachment.ts';
import { sendTo } from './socket.ts';

export type Process = { -readonly [K in keyof Member]: Member[K] } & {
  readonly socket: WebSocket;
  hello: Greeted;
};

/** The processes of hosts that have said hello and are linked, and their jobs. */
export class Processes {
  readonly #byInstance = new Map<string, Process>();
  /** Jobs that this object gave to a process, linked or not, and the number of addresses of each. */
  readonly #jobs = new Map<string, Map<string, number>>();

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
    const known = { socket, hello, heardAt };
    const process = { ...known, addresses: 0, ...shownBy(link, hello) };
    this.#byInstance.set(hello.instance, process);
    this.#recount(process);
    return process;
  }

  remove(process: Process): void {
    this.#byInstance.delete(process.instance);
  }

  /** Its status or an operator's order has changed: stored beyond a reset of the object. */
  show(process: Process, link: Attachment, hello: Greeted): void {
    attach(process.socket, { ...link, hello });
    Object.assign(process, shownBy(link, hello), { hello });
    this.#recount(process);
  }

  /** A mail server answered a process: stored beyond a reset of the object. */
  reached(instance: string, now: number): void {
    const process = this.get(instance);
    const link = process === null ? null : attached(process.socket);
    if (process !== null && link !== null) this.show(process, link, { ...process.hello, reachedAt: now });
  }

  /** @returns false if there is no such process, or its socket is not open */
  send(instance: string, frame: ToHost): boolean {
    const process = this.get(instance);
    return process !== null && sendTo(process.socket, frame);
  }

  /** The process has this job of this object from now on. */
  jobBegan(instance: string, jobId: string, addresses: number): void {
    this.#jobs.set(instance, (this.#jobs.get(instance) ?? new Map<string, number>()).set(jobId, addresses));
    this.#recount(this.get(instance));
  }

  /** The process has it no longer. */
  jobEnded(instance: string, jobId: string): void {
    const jobs = this.#jobs.get(instance);
    jobs?.delete(jobId);
    if (jobs?.size === 0) this.#jobs.delete(instance);
    this.#recount(this.get(instance));
  }

  /** The jobs that this object gave to a process and still waits for. */
  jobsOf(instance: string): readonly string[] {
    return [...(this.#jobs.get(instance)?.keys() ?? [])];
  }

  #recount(process: Process | null): void {
    if (process === null) return;
    const jobs = [...(this.#jobs.get(process.instance)?.values() ?? [])];
    // Its last status may be older than the jobs it was given since.
    process.jobs = Math.max(process.hello.status.jobs, jobs.length);
    process.addresses = jobs.reduce((sum, addresses) => sum + addresses, 0);
  }
}

/** What a link says about its process. */
function shownBy({ host, ordered }: Attachment, greeted: Greeted) {
  const { instance, version, startedAt, egress, slots, status, reachedAt } = greeted;
  const draining = ordered || status.draining;
  return {
    host,
    instance,
    version,
    startedAt,
    egress,
    slots,
    ...status,
    draining,
    reachedAtMs: reachedAt ?? -Infinity,
  };
}
