import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AdminApi, adminApi } from '../../admin/connection/api.ts';
import { readOperatorKey } from '../../admin/connection/operator-key.ts';
import { childrenRunning } from '../../local/child-processes.ts';
import { freePort } from '../../local/port.ts';
import { startWatchdog } from '../../local/watchdog.ts';
import { startRunningService } from '../../testing/running-service.ts';
import type { Host } from './host.ts';
import { Hosts } from './hosts.ts';
import { type FarSite, type MailWorld, type Site, startMailWorld } from './mail-world.ts';
import { HERE, type Place, startFarPlace } from './place.ts';

// What a run stands on: the service, its hosts and their receivers, each a process of its own.

const SERVICE = fileURLToPath(new URL('service.ts', import.meta.url));
/** What was lost is swept within seconds of its deadline. */
const HOLD_GRACE_S = 2;

export type Stage = {
  readonly url: string;
  /** For the service's state, and for logs. */
  readonly folder: string;
  readonly pid: number;
  readonly inspectorPort: number;
  readonly admin: AdminApi;
  /** By address: how many RCPTs named it. */
  readonly askings: ReadonlyMap<string, number>;
  readonly here: Site;
  readonly hosts: Hosts;
  /** A site behind a link of its own, which delays each packet one way and loses a share of them. */
  readonly openFarSite: (delayMs: number, lossPercent: number) => Promise<FarSite>;
  readonly workerd: () => Promise<readonly number[]>;
  /** Everything that the service logged so far. */
  readonly log: () => string;
  /** Ends everything that was started here. */
  readonly stop: () => Promise<void>;
};

type Undo = (() => Promise<unknown>)[];

/**
 * @param folder for state and logs; it is made
 * @param answersAfterMs what each RCPT waits for its reply: a batch takes a little more than twice as long
 */
export async function setStage(folder: string, deadlineMs: number, answersAfterMs: number): Promise<Stage> {
  const undo: Undo = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    return { ...(await set(folder, deadlineMs, answersAfterMs, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function set(
  folder: string,
  deadlineMs: number,
  answersAfterMs: number,
  undo: Undo,
): Promise<Omit<Stage, 'stop'>> {
  await mkdir(join(folder, 'logs'), { recursive: true });
  const askings = new Map<string, number>();
  const count = (_sender: string, email: string): void => void askings.set(email, (askings.get(email) ?? 0) + 1);
  const openSite = async <P extends Place>(place: P): Promise<{ place: P; mail: MailWorld }> => {
    const mail = await startMailWorld(place, answersAfterMs, count);
    undo.push(mail.stop);
    return { place, mail };
  };
  const here = await openSite(HERE);
  const variables = [
    `BATCH_DEADLINE_S=${deadlineMs / 1000}`,
    `HOLD_GRACE_S=${HOLD_GRACE_S}`,
    'RATE_LIMIT=0',
    `LEDGER_DATABASES=${process.env['EDGE_DATABASES'] ?? '1'}`,
  ];
  const inspectorPort = await freePort();
  const world = ['--hosts', '0', '--no-sandbox', '--route', here.mail.variables.ROUTE];
  const service = await startRunningService(
    folder,
    world.concat(variables.flatMap((variable) => ['--var', variable])),
    [process.execPath, '--expose-gc', SERVICE, String(inspectorPort)],
  );
  undo.push(service.stop);
  const watchdog = startWatchdog();
  undo.push(async () => watchdog.release());
  const pids = [service.pid];
  watchdog.guard('torture', pids);

  const connection = { origin: service.ready.url, operator: await readOperatorKey(service.ready.operatorKey) };
  const onStart = (host: Host): void => {
    pids.push(host.pid);
    watchdog.guard('torture', pids);
    undo.push(async () => {
      host.signal('SIGKILL');
      await host.ended;
    });
  };
  return {
    url: service.ready.url,
    folder,
    pid: service.pid,
    inspectorPort,
    admin: adminApi(connection),
    askings,
    here,
    hosts: new Hosts(folder, connection, onStart),
    async openFarSite(delayMs, lossPercent) {
      const place = await startFarPlace(service.ready.url, delayMs, lossPercent);
      undo.push(place.stop);
      return openSite(place);
    },
    workerd: () => childrenRunning('workerd', service.pid),
    log: service.err,
  };
}
