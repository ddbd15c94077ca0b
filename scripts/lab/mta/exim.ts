import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Daemon } from './daemon.ts';
import type { Place } from './place.ts';
import { PROGRAMS } from './programs.ts';
import { SERVERS } from './servers.ts';
import { DOMAIN_SUFFIX, hostOf } from './names.ts';

/** Starts an Exim of its own on its two addresses of the suite; what it keeps lies in the run's folder, its log too. */
export async function startExim(place: Place): Promise<Daemon> {
  const { smtpPort } = place;
  const folder = join(place.folder, 'exim');
  await mkdir(join(folder, 'spool'), { recursive: true });
  await promisify(execFile)('chown', ['-R', 'Debian-exim', folder]);
  const config = join(place.folder, 'exim.conf');
  await writeFile(config, writeConfig(smtpPort, folder));
  return place.start({
    name: 'Exim',
    command: PROGRAMS.exim,
    args: ['-C', config, '-bdf', '-oP', join(folder, 'exim.pid')],
    logFile: join(folder, 'mainlog'),
    ip: SERVERS.exim,
    port: smtpPort,
  });
}

/** u000 to u499. */
const NUMBERED_PARTS = String.raw`\N^u[0-4][0-9][0-9]$\N`;

/** The replies are Exim's own words if it has them: "Unrouteable address", "relay not permitted". */
const writeConfig = (smtpPort: number, folder: string) => `
local_interfaces = ${SERVERS.exim} : ${SERVERS.eximSlow}
daemon_smtp_ports = ${smtpPort}
primary_hostname = ${hostOf('exim')}
spool_directory = ${folder}/spool
log_file_path = ${folder}/%slog
host_lookup =
rfc1413_query_timeout = 0s
smtp_enforce_sync = true
# It lets everyone talk early by default, as an extension of its own (PIPECONNECT): the slow one does not.
pipelining_connect_advertise_hosts = \${if eq{$received_ip_address}{${SERVERS.eximSlow}}{}{*}}
smtputf8_advertise_hosts = *
domainlist ours = exim.${DOMAIN_SUFFIX} : exim-slow.${DOMAIN_SUFFIX}
acl_smtp_connect = wait_a_second
acl_smtp_helo = wait_a_second
acl_smtp_mail = wait_a_second
acl_smtp_rcpt = check_rcpt

begin acl

wait_a_second:
  accept condition = \${if eq{$received_ip_address}{${SERVERS.eximSlow}}}
    delay = 1s
  accept

check_rcpt:
  require message = relay not permitted
    domains = +ours
  defer local_parts = full
    message = 452 4.2.2 The mailbox is over its quota
  defer local_parts = later
    message = greylisted, try again in 120 seconds
  require verify = recipient
  accept

begin routers

mailboxes:
  driver = accept
  domains = +ours
  local_parts = anna : full : later : ${NUMBERED_PARTS}
  transport = nowhere

begin transports

nowhere:
  driver = appendfile
  file = /dev/null
`;
