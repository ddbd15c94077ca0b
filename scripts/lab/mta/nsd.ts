import { Resolver } from 'node:dns/promises';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDaemon, type Daemon } from './daemon.ts';
import type { Keeper } from './keeper.ts';
import { NAME_SERVER } from './servers.ts';
import { BROKEN_ZONE, writeZone, ZONE } from './zones.ts';

/** Starts NSD on `port` of its address with the suite's zones, and waits until it answers for them. */
export function startNsd(command: string, port: number, keeper: Keeper): Promise<Daemon> {
  const folder = join(keeper.folder, 'nsd');
  return writeConfig(folder, port).then((config) =>
    startDaemon({ name: 'NSD', command, args: ['-d', '-c', config], isReady: () => answers(port) }, keeper),
  );
}

async function writeConfig(folder: string, port: number): Promise<string> {
  await mkdir(folder);
  const config = join(folder, 'nsd.conf');
  await writeFile(join(folder, 'real.zone'), writeZone());
  await writeFile(
    config,
    `server:
  ip-address: ${NAME_SERVER}@${port}
  username: nobody
  chroot: ""
  database: ""
  server-count: 1
  zonesdir: "${folder}"
  pidfile: "${join(folder, 'nsd.pid')}"
  xfrdfile: "${join(folder, 'xfrd.state')}"
  xfrdir: "${folder}"
  zonelistfile: "${join(folder, 'zone.list')}"
remote-control:
  control-enable: no
zone:
  name: ${ZONE}
  zonefile: real.zone
zone:
  name: ${BROKEN_ZONE}
  zonefile: nowhere.zone
`,
  );
  await chown(folder, NOBODY, NOBODY);
  return config;
}

/** Fixed in Debian's base system. */
const NOBODY = 65534;

async function answers(port: number): Promise<boolean> {
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([`${NAME_SERVER}:${port}`]);
  return resolver.resolveSoa(ZONE).then(
    () => true,
    () => false,
  );
}
