import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accepts } from './accepts.ts';
import { startDaemon, type Daemon } from './daemon.ts';
import type { Keeper } from './keeper.ts';
import { NUMBERED, numbered } from './mailboxes.ts';
import { copyRoot } from './root.ts';
import { SERVERS } from './servers.ts';
import { DOMAIN_SUFFIX, hostOf } from './zones.ts';

const DOMAIN = `courier.${DOMAIN_SUFFIX}`;
/** Courier's user, who exists in its root alone. */
const USER = 33_333;
const ETC = '/etc/courier';

/**
 * Starts a Courier of its own with Debian's settings: each refusal of a session takes twice as long as the one before,
 * the first 8 s, and a client has five connections at once. The only change is that it does not look up the sender's domain.
 */
export async function startCourier(installed: string, smtpPort: number, keeper: Keeper): Promise<Daemon> {
  const root = await copyRoot(installed, keeper, 'courier');
  await writeSettings(root);
  const authlib = '/usr/lib/courier/courier-authlib';
  // It knows who has a mailbox.
  const users = await startDaemon(
    {
      name: 'Courier-authlib',
      command: 'chroot',
      args: inRoot(root, `. ${ETC}/authdaemonrc; exec ${authlib}/authdaemond`),
      isReady: async () => existsSync(join(root, SOCKETS, 'socket')),
    },
    keeper,
  );
  // What Debian's own script `esmtpd` starts, in the foreground; a loopback client has no name to look up.
  const limits = '-maxprocs=$MAXDAEMONS -maxperc=$MAXPERC -maxperip=$MAXPERIP -user=$MAILUSER -group=$MAILGROUP';
  const listen = `-address=${SERVERS.courier} -noidentlookup -nodnslookup ${smtpPort}`;
  const smtp = await startDaemon(
    {
      name: 'Courier',
      command: 'chroot',
      args: inRoot(
        root,
        `. ${ETC}/esmtpd; BOFHCHECKDNS=0; exec /usr/sbin/couriertcpd ${limits} ${listen} /usr/sbin/courieresmtpd`,
      ),
      isReady: () => accepts(SERVERS.courier, smtpPort),
    },
    keeper,
  ).catch(async (error: unknown) => {
    await users.stop();
    throw error;
  });
  return {
    pid: smtp.pid,
    log: () => smtp.log() + users.log(),
    stop: async () => {
      await smtp.stop();
      await users.stop();
    },
  };
}

const SOCKETS = 'run/courier/authdaemon';

/** Its settings are shell scripts that set variables. */
const inRoot = (root: string, script: string): string[] => [root, '/bin/sh', '-c', `set -a; ${script}`];

async function writeSettings(root: string): Promise<void> {
  const home = '/home/mail';
  const user = `uid=1000|gid=1000|home=${home}|mail=${home}/Maildir|_=`;
  const names = ['anna', ...Array.from({ length: NUMBERED }, (_, i) => numbered(i))];
  const files = {
    'etc/passwd': `courier:x:${USER}:${USER}::/:/bin/sh\n`,
    'etc/group': `courier:x:${USER}:\n`,
    [`${ETC}/me`]: `${hostOf('courier')}\n`,
    [`${ETC}/locals`]: `${DOMAIN}\n`,
    [`${ETC}/esmtpacceptmailfor`]: `${DOMAIN}\n`,
    [`${ETC}/authdaemonrc`]: `authmodulelist=authuserdb\ndaemons=5\nauthdaemonvar=/${SOCKETS}\n`,
    'tmp/users': `${names.map((name) => `${name}\t${user}\n`).join('')}.\n`,
    'tmp/passwords': '.\n',
    // An empty file does: a device cannot be made everywhere.
    'dev/null': '',
  };
  for (const folder of [SOCKETS, home, 'dev']) await mkdir(join(root, folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  const run = promisify(execFile);
  const makeTable = '/usr/lib/courier/courier-authlib/makedatprog';
  for (const [text, table] of [
    ['users', 'userdb'],
    ['passwords', 'userdbshadow'],
  ])
    await run('chroot', [root, makeTable, `/tmp/${text}`, `/tmp/${table}`, `${ETC}/${table}.dat`]);
  await run('chown', ['-R', `${USER}:${USER}`, join(root, 'var/lib/courier'), join(root, 'run/courier')]);
  // Makes the folders of the queue, for any user.
  const submitMkdir = join(root, 'usr/lib/courier/courier/submitmkdir');
  await run('chown', [`${USER}:${USER}`, submitMkdir]);
  await run('chmod', ['4755', submitMkdir]);
}
