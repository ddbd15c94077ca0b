import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { accepts } from './accepts.ts';
import { startDaemon, type Daemon } from './daemon.ts';
import type { Keeper } from './keeper.ts';
import { SERVERS } from './servers.ts';
import { hostOf } from './zones.ts';

/** How long a new triplet has to wait; long enough that a batch cannot come back to it. */
export const GREYLIST_DELAY_S = 3;

/** Starts postgrey, which refuses each new triplet of client, sender and recipient for a while. */
export async function startPostgrey(command: string, port: number, keeper: Keeper): Promise<Daemon> {
  const folder = join(keeper.folder, 'postgrey');
  await mkdir(folder);
  // Its user owns nothing here, and nobody else reads what it keeps.
  await chmod(folder, 0o777);
  const host = SERVERS.greylisting;
  const args = [
    `--inet=${host}:${port}`,
    `--dbdir=${folder}`,
    `--delay=${GREYLIST_DELAY_S}`,
    `--hostname=${hostOf('greylisting')}`,
  ];
  return startDaemon({ name: 'postgrey', command, args, isReady: () => accepts(host, port) }, keeper);
}
