import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Enrolment } from '../../../schema/enrolment.ts';
import { adminApi } from '../../admin/connection/api.ts';
import type { Connection } from '../../admin/connection/client.ts';
import { enrolHost } from '../../admin/hosts/enrol.ts';
import { writeStateFile } from '../../local/state-file.ts';
import { type Host, startHost, TODAY } from './host.ts';
import type { Site } from './mail-world.ts';

const LINKED_WITHIN_MS = 30_000;
const AGAIN_MS = 100;

/** The hosts of one run: enrolled with the operator's API, each process with a file and a log of its own. */
export class Hosts {
  readonly #folder: string;
  readonly #connection: Connection;
  readonly #onStart: (host: Host) => void;
  readonly #enrolments = new Map<string, Enrolment>();
  #processes = 0;

  /** @param onStart told of every process, before it is known to be healthy */
  constructor(folder: string, connection: Connection, onStart: (host: Host) => void) {
    this.#folder = folder;
    this.#connection = connection;
    this.#onStart = onStart;
  }

  /**
   * Starts a process of a host, which is enrolled if it is new, and waits until the edge finds it healthy.
   * @param code the folder of the code that it runs
   * @throws Error if it is not healthy in 30 s
   */
  async start(id: string, { place, mail }: Site, code = TODAY): Promise<Host> {
    this.#processes += 1;
    const name = `${id}-${this.#processes}`;
    const before = await this.#healthy(id);
    const enrolmentFile = join(this.#folder, `${name}.json`);
    const origin = place.originOf(this.#connection.origin);
    await writeStateFile(enrolmentFile, { ...(await this.#enrol(id)), origin });
    const logFile = join(this.#folder, 'logs', `${name}.log`);
    const { within } = place;
    const host = await startHost({ name, code, within, enrolmentFile, variables: mail.variables, logFile });
    this.#onStart(host);
    const giveUpAt = performance.now() + LINKED_WITHIN_MS;
    while ((await this.#healthy(id)) <= before) {
      if (performance.now() > giveUpAt) throw new Error(`${name} is not healthy after ${LINKED_WITHIN_MS / 1000} s`);
      await sleep(AGAIN_MS);
    }
    return host;
  }

  /** Waits until the edge finds a process of a host healthy, or has heard that all are gone. @throws Error after 30 s */
  async waitUntil(id: string, state: 'healthy' | 'gone'): Promise<void> {
    const giveUpAt = performance.now() + LINKED_WITHIN_MS;
    while ((await this.#healthy(id)) > 0 !== (state === 'healthy')) {
      if (performance.now() > giveUpAt) throw new Error(`${id} is not ${state} after ${LINKED_WITHIN_MS / 1000} s`);
      await sleep(AGAIN_MS);
    }
  }

  async #enrol(id: string): Promise<Enrolment> {
    const file = join(this.#folder, `${id}.json`);
    const enrolment = this.#enrolments.get(id) ?? (await enrolHost(this.#connection, id, file));
    this.#enrolments.set(id, enrolment);
    return enrolment;
  }

  /** How many processes of a host the edge finds healthy: none while it is away itself. */
  async #healthy(id: string): Promise<number> {
    const { hosts } = await adminApi(this.#connection)
      .listHosts()
      .catch(() => ({ hosts: [] }));
    return hosts.find((host) => host.id === id)?.processes.filter((process) => process.healthy).length ?? 0;
  }
}
