import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accepts } from './accepts.ts';
import { startDaemon, type Daemon } from './daemon.ts';
import type { Keeper } from './keeper.ts';
import { SERVERS } from './servers.ts';
import { DOMAIN_SUFFIX, hostOf } from './names.ts';

/** Where an Exim listens, and for whom. */
export type EximPlan = {
  readonly command: string;
  readonly smtpPort: number;
  readonly ip: string;
  /** Where it waits a second before each reply; null: nowhere. */
  readonly slowIp: string | null;
  /** Exim's lists of what is its own. */
  readonly domains: string;
  readonly mailboxes: string;
  /** The network namespace that it runs in; null: this one. */
  readonly namespace: string | null;
};

/** Starts an Exim of its own on its two addresses of the suite. */
export function startExim(command: string, smtpPort: number, keeper: Keeper): Promise<Daemon> {
  const plan = {
    command,
    smtpPort,
    ip: SERVERS.exim,
    slowIp: SERVERS.eximSlow,
    domains: `exim.${DOMAIN_SUFFIX} : exim-slow.${DOMAIN_SUFFIX}`,
    mailboxes: String.raw`anna : full : later : \N^u[0-4][0-9][0-9]$\N`,
    namespace: null,
  };
  return startEximAt(plan, keeper);
}

/** Starts an Exim; what it keeps lies in the run's folder, its log too. */
export async function startEximAt(plan: EximPlan, keeper: Keeper): Promise<Daemon> {
  const folder = join(keeper.folder, 'exim');
  await mkdir(join(folder, 'spool'), { recursive: true });
  await promisify(execFile)('chown', ['-R', 'Debian-exim', folder]);
  const config = join(keeper.folder, 'exim.conf');
  await writeFile(config, writeConfig(plan, folder));
  const logFile = join(folder, 'mainlog');
  const run = [plan.command, '-C', config, '-bdf', '-oP', join(folder, 'exim.pid')];
  const [command = '', ...args] = plan.namespace === null ? run : ['ip', 'netns', 'exec', plan.namespace, ...run];
  return startDaemon(
    {
      name: 'Exim',
      command,
      args,
      logFile,
      // Another namespace cannot be dialled from here: there its log has to do.
      isReady: () => (plan.namespace === null ? accepts(plan.ip, plan.smtpPort) : listens(logFile)),
    },
    keeper,
  );
}

async function listens(logFile: string): Promise<boolean> {
  return existsSync(logFile) && (await readFile(logFile, 'utf8')).includes('listening for SMTP');
}

/** The replies are Exim's own words if it has them: "Unrouteable address", "relay not permitted". */
const writeConfig = ({ ip, slowIp, smtpPort, domains, mailboxes }: EximPlan, folder: string) => `
local_interfaces = ${slowIp === null ? ip : `${ip} : ${slowIp}`}
daemon_smtp_ports = ${smtpPort}
primary_hostname = ${hostOf('exim')}
spool_directory = ${folder}/spool
log_file_path = ${folder}/%slog
host_lookup =
rfc1413_query_timeout = 0s
smtp_enforce_sync = true
# It lets everyone talk early by default, as an extension of its own (PIPECONNECT): the slow one does not.
pipelining_connect_advertise_hosts = \${if eq{$received_ip_address}{${slowIp ?? ''}}{}{*}}
smtputf8_advertise_hosts = *
domainlist ours = ${domains}
acl_smtp_connect = wait_a_second
acl_smtp_helo = wait_a_second
acl_smtp_mail = wait_a_second
acl_smtp_rcpt = check_rcpt

begin acl

wait_a_second:
  accept condition = \${if eq{$received_ip_address}{${slowIp ?? ''}}}
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
  local_parts = ${mailboxes}
  transport = nowhere

begin transports

nowhere:
  driver = appendfile
  file = /dev/null
`;
