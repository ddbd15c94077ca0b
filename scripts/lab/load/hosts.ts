import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminApi } from '../../admin/connection/api.ts';
import type { Connection } from '../../admin/connection/client.ts';
import { enrolHost } from '../../admin/hosts/enrol.ts';
import { type HostProcess, type HostWorld, startHost } from '../../local/host-process.ts';

const WITHIN_MS = 30_000;
const AGAIN_MS = 100;

/** The hosts of one scene: enrolled through the operator's API, each a process of its own, whose log is on standard error. */
export class Hosts {
  readonly #folder: string;
  readonly #connection: Connection;
  readonly #world: HostWorld;
  readonly #onStart: (pid: number) => void;
  readonly #enrolled = new Set<string>();
  readonly #processes: HostProcess[] = [];

  /** @param onStart gets the pid of every process as it starts */
  constructor(folder: string, connection: Connection, world: HostWorld, onStart: (pid: number) => void) {
    this.#folder = folder;
    this.#connection = connection;
    this.#world = world;
    this.#onStart = onStart;
  }

  /**
   * Starts a process of a host, which is enrolled if it is new, and waits until the edge finds it healthy.
   * @throws Error if it is not healthy in 30 s
   */
  async start(id: string): Promise<void> {
    const enrolment = join(this.#folder, `${id}.json`);
    if (!this.#enrolled.has(id)) await enrolHost(this.#connection, id, enrolment);
    this.#enrolled.add(id);
    const before = await this.#healthy(id);
    const host = await startHost(id, enrolment, this.#world, () => undefined);
    this.#onStart(host.pid);
    this.#processes.push(host);
    await this.#until(`${id} is not healthy`, async () => (await this.#healthy(id)) > before);
  }

  /** Waits until the edge has noticed that all processes of a host are gone. @throws Error after 30 s */
  waitUntilGone(id: string): Promise<void> {
    return this.#until(`${id} is not gone`, async () => (await this.#healthy(id)) === 0);
  }

  /** Waits until the edge finds a host healthy. @throws Error after 30 s */
  waitUntilHealthy(id: string): Promise<void> {
    return this.#until(`${id} is not healthy`, async () => (await this.#healthy(id)) > 0);
  }

  /** The newest process of a host. @throws Error if it never ran */
  running(id: string): HostProcess {
    const host = this.#processes.findLast((one) => one.id === id);
    if (host === undefined) throw new Error(`${id} was not started`);
    return host;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((host) => host.drain(0)));
  }

  async #until(problem: string, holds: () => Promise<boolean>): Promise<void> {
    const giveUpAt = performance.now() + WITHIN_MS;
    while (!(await holds())) {
      if (performance.now() > giveUpAt) throw new Error(`${problem} after ${WITHIN_MS / 1_000} s`);
      await sleep(AGAIN_MS);
    }
  }

  /** How many processes of a host the edge finds healthy: none while it is away itself. */
  async #healthy(id: string): Promise<number> {
    const { hosts } = await adminApi(this.#connection)
      .listHosts()
      .catch(() => ({ hosts: [] }));
    return hosts.find((host) => host.id === id)?.processes.filter((process) => process.healthy).length ?? 0;
  }
}
