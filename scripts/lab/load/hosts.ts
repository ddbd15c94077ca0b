import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { adminApi } from '../../admin/connection/api.ts';
import type { Connection } from '../../admin/connection/client.ts';
import { enrolHost } from '../../admin/hosts/enrol.ts';

const MAIN = fileURLToPath(new URL('../../../prober/main.ts', import.meta.url));
const WITHIN_MS = 30_000;
const AGAIN_MS = 100;

/** One process of a probe host. */
export type Host = {
  readonly id: string;
  readonly signal: (signal: 'SIGTERM' | 'SIGKILL') => void;
  /** How it ended: exit code, null if a signal ended it. */
  readonly ended: Promise<number | null>;
};

/** The hosts of one scene: enrolled through the operator's API, each process with a log of its own. */
export class Hosts {
  readonly #folder: string;
  readonly #connection: Connection;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #onStart: (pid: number) => void;
  readonly #enrolled = new Set<string>();
  readonly #processes: Host[] = [];

  /** @param onStart told the pid of every process as it starts */
  constructor(
    folder: string,
    connection: Connection,
    variables: Readonly<Record<string, string>>,
    onStart: (pid: number) => void,
  ) {
    this.#folder = folder;
    this.#connection = connection;
    this.#variables = variables;
    this.#onStart = onStart;
  }

  /**
   * Starts a process of a host, which is enrolled if it is new, and waits until the edge finds it healthy.
   * @throws Error if it is not healthy in 30 s
   */
  async start(id: string): Promise<Host> {
    const enrolment = join(this.#folder, `${id}.json`);
    if (!this.#enrolled.has(id)) await enrolHost(this.#connection, id, enrolment);
    this.#enrolled.add(id);
    const before = await this.#healthy(id);
    const log = await open(join(this.#folder, 'logs', `${id}.log`), 'a');
    const child: ChildProcess = spawn(process.execPath, [MAIN], {
      env: {
        ...process.env,
        ...this.#variables,
        SANDBOX: '1',
        MAIL_FROM: `probe@${id}.load.example`,
        ENROLMENT: enrolment,
      },
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    await log.close();
    this.#onStart(child.pid ?? -1);
    const host: Host = { id, signal: (signal) => child.kill(signal), ended };
    this.#processes.push(host);
    await this.#until(`${id} is not healthy`, async () => (await this.#healthy(id)) > before);
    return host;
  }

  /** Waits until the edge has heard that all processes of a host are gone. @throws Error after 30 s */
  waitUntilGone(id: string): Promise<void> {
    return this.#until(`${id} is not gone`, async () => (await this.#healthy(id)) === 0);
  }

  /** Waits until the edge finds a host healthy. @throws Error after 30 s */
  waitUntilHealthy(id: string): Promise<void> {
    return this.#until(`${id} is not healthy`, async () => (await this.#healthy(id)) > 0);
  }

  /** The newest process of a host. @throws Error if it never ran */
  running(id: string): Host {
    const host = this.#processes.findLast((one) => one.id === id);
    if (host === undefined) throw new Error(`${id} was not started`);
    return host;
  }

  async stop(): Promise<void> {
    for (const host of this.#processes) {
      host.signal('SIGKILL');
      await host.ended;
    }
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
