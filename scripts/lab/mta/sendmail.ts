import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accepts } from './accepts.ts';
import { startDaemon, type Daemon } from './daemon.ts';
import type { Keeper } from './keeper.ts';
import { NUMBERED, numbered } from './mailboxes.ts';
import { copyRoot } from './root.ts';
import { SERVERS } from './servers.ts';
import { DOMAIN_SUFFIX, hostOf } from './zones.ts';

const PROGRAMS = '/usr/libexec/sendmail';
const FEATURES = '/usr/share/sendmail/cf';

/**
 * Starts a Sendmail of its own with Debian's settings, as a stranger meets them: a second before the greeting, a second
 * before each reply from the fourth refusal of a session on, ten connections at once and ten in ten minutes, then 421.
 */
export async function startSendmail(installed: string, smtpPort: number, keeper: Keeper): Promise<Daemon> {
  const root = await copyRoot(installed, keeper, 'sendmail');
  await writeSettings(root, smtpPort);
  return startDaemon(
    {
      name: 'Sendmail',
      command: 'chroot',
      args: [root, `${PROGRAMS}/sendmail`, '-bD', '-X', '/var/log/dialogue'],
      logFile: join(root, 'var/log/dialogue'),
      isReady: () => accepts(SERVERS.sendmail, smtpPort),
    },
    keeper,
  );
}

async function writeSettings(root: string, smtpPort: number): Promise<void> {
  const names = ['anna', ...Array.from({ length: NUMBERED }, (_, i) => numbered(i))];
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
  const files = {
    'etc/passwd': ['root', 'smmta', 'smmsp', 'mail'].map((name, i) => `${name}:x:${i}:${i}::/:/bin/sh\n`).join(''),
    'etc/group': ['root', 'smmta', 'smmsp', 'mail'].map((name, i) => `${name}:x:${i}:\n`).join(''),
    'etc/hosts': `127.0.0.1 localhost\n${SERVERS.sendmail} ${hostOf('sendmail')}\n`,
    'etc/mail/m4/dialup.m4': '',
    'etc/mail/m4/provider.m4': '',
    // No look-ups: neither of the client nor of the sender's domain.
    'etc/mail/service.switch': await read('etc/mail/service.switch-nodns'),
    'etc/mail/local-host-names': `sendmail.${DOMAIN_SUFFIX}\n`,
    'etc/mail/aliases': names.map((name) => `${name}: /dev/null\n`).join(''),
    // Less what it grants to the machine itself.
    'etc/mail/access': (await read('usr/share/sendmail/examples/db/access')).replaceAll(/^\w+:127.*\n/gm, ''),
    'etc/mail/sendmail.mc': forTest(await read(`${FEATURES}/debian/sendmail.mc`), smtpPort),
  };
  for (const folder of [
    'etc/mail/m4',
    'var/spool/mqueue',
    'var/lib/sendmail/host_status',
    'var/log',
    'var/run/sendmail/mta',
  ])
    await mkdir(join(root, folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  // Its tables are files of Berkeley DB. What m4 would like to know of who runs it is a comment.
  for (const step of [
    'm4 /etc/mail/sendmail.mc > /etc/mail/sendmail.cf',
    `${PROGRAMS}/makemap hash /etc/mail/access < /etc/mail/access`,
    `${PROGRAMS}/sendmail -bi`,
  ])
    await promisify(execFile)('chroot', [root, '/bin/sh', '-c', step]);
}

/** Debian's configuration, at the address of the suite, for senders whose domain is not looked up. */
function forTest(debians: string, smtpPort: number): string {
  const listen = `DAEMON_OPTIONS(\`Family=inet, Name=MTA-v4, Port=${smtpPort}, Addr=${SERVERS.sendmail}')dnl`;
  return debians
    .replace(/^DAEMON_OPTIONS.*Name=MTA-v4.*$/m, listen)
    .replace(/^DAEMON_OPTIONS.*Name=MSP-v4.*\n/m, '')
    .replace(
      /^MAILER_DEFINITIONS/m,
      `define(\`confDOMAIN_NAME', \`${hostOf('sendmail')}')dnl\nFEATURE(\`accept_unresolvable_domains')dnl\n$&`,
    );
}
