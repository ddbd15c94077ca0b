import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AdminApi, adminApi } from '../../admin/connection/api.ts';
import { readOperatorKey } from '../../admin/connection/operator-key.ts';
import { childrenRunning } from '../../local/child-processes.ts';
import { startWatchdog } from '../../local/watchdog.ts';
import { startRunningService } from '../../testing/running-service.ts';
import { Fleet } from './fleet.ts';
import type { Host } from './host.ts';
import { type MailWorld, startMailWorld } from './mail-world.ts';
import { type FarPlace, HERE, type Place, startFarPlace } from './place.ts';

// What a run stands on: the service as a user starts it, its hosts and their receivers, each a process of its own.

/** What was lost is swept within seconds of its deadline. */
const HOLD_GRACE_S = 5;

/** Where hosts stand, with the receivers that they see from there. */
export type Site = { readonly place: Place; readonly mail: MailWorld };
export type FarSite = Site & { readonly place: FarPlace };

export type Stage = {
  readonly url: string;
  readonly admin: AdminApi;
  /** By address: the envelope sender of every RCPT that named it, in order. */
  readonly askings: ReadonlyMap<string, readonly string[]>;
  readonly here: Site;
  /** A site behind a link of its own, which delays each packet one way and loses a share of them. */
  readonly openFarSite: (delayMs: number, lossPercent: number) => Promise<FarSite>;
  /** Starts a process of a host, enrolled if it is new, and waits until the edge finds it healthy. */
  readonly startHost: (id: string, site: Site, code?: string) => Promise<Host>;
  /** SIGKILL. It is started again by the service itself. */
  readonly killWorkerd: () => Promise<void>;
  /** Ends everything that was started here. */
  readonly stop: () => Promise<void>;
};

/**
 * @param folder for state and logs; it is made
 * @param answersAfterMs what each RCPT waits for its reply: a batch takes a little more than twice as long
 */
export async function setStage(folder: string, deadlineMs: number, answersAfterMs: number): Promise<Stage> {
  const undo: (() => Promise<unknown>)[] = [];
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
  undo: (() => Promise<unknown>)[],
): Promise<Omit<Stage, 'stop'>> {
  await mkdir(join(folder, 'logs'), { recursive: true });
  const askings = new Map<string, string[]>();
  const note = (sender: string, email: string): void =>
    void askings.set(email, [...(askings.get(email) ?? []), sender]);
  const openSite = async <P extends Place>(place: P): Promise<{ place: P; mail: MailWorld }> => {
    const mail = await startMailWorld(place, answersAfterMs, note);
    undo.push(mail.stop);
    return { place, mail };
  };
  const here = await openSite(HERE);
  const variables = [`BATCH_DEADLINE_S=${deadlineMs / 1000}`, `HOLD_GRACE_S=${HOLD_GRACE_S}`, 'RATE_LIMIT=0'];
  const service = await startRunningService(folder, [
    '--hosts',
    '0',
    '--no-sandbox',
    '--route',
    here.mail.variables.ROUTE,
    ...variables.flatMap((variable) => ['--var', variable]),
  ]);
  undo.push(service.stop);
  const watchdog = startWatchdog();
  undo.push(async () => watchdog.release());
  const pids = [service.pid];
  watchdog.guard('chaos', pids);

  const connection = { origin: service.ready.url, operator: await readOperatorKey(service.ready.operatorKey) };
  const fleet = new Fleet(folder, connection, (host) => {
    pids.push(host.pid);
    watchdog.guard('chaos', pids);
    undo.push(async () => {
      host.signal('SIGKILL');
      await host.ended;
    });
  });
  return {
    url: service.ready.url,
    admin: adminApi(connection),
    askings,
    here,
    async openFarSite(delayMs, lossPercent) {
      const place = await startFarPlace(service.ready.url, delayMs, lossPercent);
      undo.push(place.stop);
      return openSite(place);
    },
    startHost: (id, site, code) => fleet.start(id, site, code),
    async killWorkerd() {
      for (const pid of await childrenRunning('workerd', service.pid)) process.kill(pid, 'SIGKILL');
    },
  };
}
