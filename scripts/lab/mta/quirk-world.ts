import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startNameServer } from '../../../prober/testing/name-server.ts';
import { DOMAIN_SUFFIX, hostOf, ZONE } from './names.ts';
import { openPlace } from './place.ts';
import type { At, CommandLine, Quirk } from './quirk.ts';

const run = promisify(execFile);

export const domainOf = (quirk: Quirk): string => `${quirk.name}.${DOMAIN_SUFFIX}`;

export type QuirkWorld = {
  /** The options of `npm start` and `probe` for this world. */
  readonly flags: readonly string[];
  /** Starts one of the servers. @returns what it has logged so far */
  readonly start: (quirk: Quirk) => Promise<() => string>;
  /** Ends every server and removes what they wrote. */
  readonly stop: () => Promise<void>;
};

/** The names of all these servers, each of which has a loopback address and a mail provider of its own. */
export async function startQuirkWorld(quirks: readonly Quirk[]): Promise<QuirkWorld> {
  const place = await openPlace();
  const port = place.smtpPort;
  const ipOf = (quirk: Quirk) => `127.0.21.${quirks.indexOf(quirk) + 1}`;
  const names = await startNameServer(({ name, type }) => {
    const quirk = quirks.find((each) => `.${name}`.endsWith(`.${domainOf(each)}`) || hostOf(each.name) === name);
    if (quirk === undefined) return { rcode: 'NXDOMAIN' };
    if (name !== hostOf(quirk.name)) return type === 'MX' ? { mx: [[10, hostOf(quirk.name)]] } : 'nodata';
    return type === 'A' ? { ip: [ipOf(quirk)] } : 'nodata';
  });
  return {
    flags: ['--stub', `${ZONE}=${names.address}`, '--route', `127.0.21.0/24=${port}`],
    async start(quirk) {
      const folder = join(place.folder, quirk.name);
      const ip = ipOf(quirk);
      const at: At = { ip, port, folder, domain: domainOf(quirk), host: hostOf(quirk.name), ...place.tls };
      await complete(quirk, at);
      const logs: Array<() => string> = [];
      for (const [i, { logFile, ...daemon }] of quirk.daemons(at).entries()) {
        const [command, ...args] = alone(folder, daemon.run);
        const log = logFile === undefined ? {} : { logFile: join(folder, logFile) };
        const started = await place.start({ port, ...daemon, name: `${quirk.name}-${i}`, command, args, ip, ...log });
        logs.push(started.log);
      }
      return () => logs.map((log) => log()).join('');
    },
    async stop() {
      await names.close();
      await place.close();
    },
  };
}

/** The command with names of its own, from files in the folder: no server asks the machine's resolver about its client. */
const alone = (folder: string, command: CommandLine): CommandLine => {
  const bind = (name: string) => `mount --bind ${folder}/${name} /etc/${name}`;
  return [
    'unshare',
    '--mount',
    'sh',
    '-c',
    `${bind('hosts')} && ${bind('resolv.conf')} && exec "$@"`,
    'sh',
    ...command,
  ];
};

/** Writes a server's folder. */
async function complete(quirk: Quirk, at: At): Promise<void> {
  const files = {
    hosts: `127.0.0.1 localhost\n${at.ip} ${at.host}\n`,
    // Nobody listens there, which a resolver learns at once.
    'resolv.conf': `nameserver ${at.ip}\n`,
    ...quirk.files(at),
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(at.folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  for (const [command, ...args] of quirk.prepare?.(at) ?? []) await run(command, args);
}
