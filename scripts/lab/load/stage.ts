import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AdminApi, adminApi, newId } from '../../admin/connection/api.ts';
import { readOperatorKey } from '../../admin/connection/operator-key.ts';
import { startWatchdog } from '../../local/watchdog.ts';
import { startRunningService } from '../../testing/running-service.ts';
import { Hosts } from './hosts.ts';
import { startFakeMail, type FakeMail } from './fake-mail.ts';

// What a scene stands on: the service, its hosts and its mail servers. Hosts and service are processes of their own.

const CREDITS = 100_000_000;

export type Account = { readonly id: string; readonly key: string };

export type Stage = {
  readonly url: string;
  readonly admin: AdminApi;
  readonly world: FakeMail;
  readonly hosts: Hosts;
  readonly open: (name: string, credits: 'bought' | 'none') => Promise<Account>;
  readonly newKey: (account: string) => Promise<string>;
  /** SIGKILL; the service starts it again by itself. */
  readonly killWorkerd: () => Promise<void>;
  /** Ends everything that was started here. */
  readonly stop: () => Promise<void>;
};

/** @param folder for its state; it is made */
export async function setStage(folder: string, answersAfterMs: number, variables: readonly string[]): Promise<Stage> {
  await mkdir(folder, { recursive: true });
  const world = await startFakeMail(answersAfterMs);
  const args = ['--hosts', '0', '--no-sandbox', ...world.host.route.flatMap((route) => ['--route', route])];
  const service = await startRunningService(folder, [...args, ...variables.flatMap((one) => ['--var', one])]);
  const watchdog = startWatchdog();
  const pids = [service.pid];
  watchdog.guard('load', pids);
  const { url, operatorKey } = service.ready;
  const connection = { origin: url, operator: await readOperatorKey(operatorKey) };
  const admin = adminApi(connection);
  const hosts = new Hosts(folder, connection, world.host, (pid) => {
    pids.push(pid);
    watchdog.guard('load', pids);
  });
  const newKey = async (account: string): Promise<string> => (await admin.createKey(newId('key'), account, 'load')).key;
  return {
    url,
    admin,
    world,
    hosts,
    newKey,
    async open(name, credits) {
      const { id } = await admin.createAccount(name, name);
      if (credits === 'bought') await admin.grant(id, 'first', CREDITS);
      return { id, key: await newKey(id) };
    },
    async killWorkerd() {
      process.kill(Number(await readFile(join(folder, 'workerd.pid'), 'utf8')), 'SIGKILL');
    },
    async stop() {
      await hosts.stop();
      await service.stop();
      watchdog.release();
      world.close();
    },
  };
}

/** Waits until no batch of these accounts is open any more; what is still open after that is for the audit to find. */
export async function waitClosed(admin: AdminApi, accounts: readonly Account[], withinMs: number): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (performance.now() < giveUpAt) {
    const all = await Promise.all(accounts.map(({ id }) => admin.showAccount(id)));
    if (all.every(({ openHolds }) => openHolds.batches === 0)) return;
    await sleep(200);
  }
}
