import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Daemon } from './daemon.ts';
import { GREYLIST, MAILBOXES, RECIPIENTS, RELOCATED } from './mailboxes.ts';
import { writeMainCf, writeMasterCf } from './postfix-config.ts';
import type { Place } from './place.ts';
import { PROGRAMS } from './programs.ts';
import { SERVERS } from './servers.ts';

/**
 * Starts a Postfix of its own, with configuration, queue and data in the run's folder: one that the machine has for
 * itself is not touched. Its log is its output.
 */
export async function startPostfix(place: Place): Promise<Daemon> {
  const folder = join(place.folder, 'postfix');
  const etc = join(folder, 'etc');
  for (const part of ['', 'etc', 'queue', 'data']) await mkdir(join(folder, part));
  const whole = { ...place.tls, smtpPort: place.smtpPort, folder };
  const files = {
    'main.cf': writeMainCf(whole),
    'master.cf': writeMasterCf(whole),
    mailboxes: MAILBOXES,
    recipients: RECIPIENTS,
    relocated: RELOCATED,
    greylist: GREYLIST,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(etc, name), text);
  const run = promisify(execFile);
  await run('chown', ['postfix', join(folder, 'data')]);
  // Makes the queue's folders, and complains about what is wrong with the configuration.
  await run(PROGRAMS.postfix, ['-c', etc, 'check']);
  return place.start({
    name: 'Postfix',
    command: PROGRAMS.postfixMaster,
    // What `postfix start-fg` runs; master leaves the process group of a caller that does not lead one.
    args: ['-c', etc, '-s'],
    env: { MAIL_CONFIG: etc },
    ip: SERVERS.postfix,
    port: place.smtpPort,
  });
}
