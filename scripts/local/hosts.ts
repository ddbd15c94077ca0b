import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { enrolmentSchema } from '../../schema/enrolment.ts';
import { publicHalf } from '../../schema/jwk.ts';
import { adminApi } from '../admin/connection/api.ts';
import { AdminError, type Connection } from '../admin/connection/client.ts';
import { enrolHost } from '../admin/hosts/enrol.ts';
import { type HostProcess, type HostWorld, startHost } from './host-process.ts';
import { StartError } from './start-error.ts';
import { readStateFile, writeStateFile } from './state-file.ts';

const CONNECTED_WITHIN_MS = 15_000;
const AGAIN_MS = 40;

export type HostsPlan = {
  readonly connection: Connection;
  /** The service's state folder. */
  readonly folder: string;
  readonly ids: readonly string[];
  readonly world: HostWorld;
  /** Filled in the order of `ids`, so that a start that fails half-way knows which hosts to stop. */
  readonly running: HostProcess[];
  /** A process was started or ended. */
  readonly onChange: () => void;
  /** A host exited without being asked to. */
  readonly onDeath: (host: HostProcess, how: string) => void;
};

/**
 * Enrols probe hosts, starts them and waits until the edge sees all of them.
 * @throws StartError if one does not come up
 */
export async function startHosts(plan: HostsPlan): Promise<void> {
  for (const id of plan.ids) {
    const file = await enrol(plan.connection, id, join(plan.folder, 'hosts', `${id}.json`));
    const host = await startHost(id, file, plan.world, (how) => {
      plan.onChange();
      plan.onDeath(host, how);
    });
    plan.running.push(host);
    plan.onChange();
  }
  await waitConnected(plan.connection, plan.running);
}

/** The host's enrolment: from an earlier start if the edge still accepts it, else a new one. */
async function enrol(connection: Connection, id: string, file: string): Promise<string> {
  const known = await readStateFile(file, enrolmentSchema);
  if (known !== null) {
    try {
      const { shards, edgeKeys } = await adminApi(connection).addHost(id, publicHalf(known.privateKey));
      await writeStateFile(file, { ...known, origin: connection.origin, shards, edgeKeys, madeAt: Date.now() });
      return file;
    } catch (error) {
      // Its key was withdrawn, so it gets a new one.
      if (!(error instanceof AdminError) || error.status !== 409) throw error;
      await rm(file);
    }
  }
  await enrolHost(connection, id, file);
  return file;
}

async function waitConnected(connection: Connection, hosts: readonly HostProcess[]): Promise<void> {
  const giveUpAt = performance.now() + CONNECTED_WITHIN_MS;
  for (;;) {
    const dead = hosts.find((host) => !host.isRunning());
    if (dead !== undefined) throw new StartError(`Host ${dead.id} exited during startup; see its log above.`);
    const { hosts: seen } = await adminApi(connection).listHosts();
    const missing = hosts.find(({ id }) => !seen.some((host) => host.id === id && (host.instances ?? 0) > 0));
    if (missing === undefined) return;
    if (performance.now() > giveUpAt)
      throw new StartError(`Host ${missing.id} did not connect in ${CONNECTED_WITHIN_MS / 1000} s.`);
    await sleep(AGAIN_MS);
  }
}
