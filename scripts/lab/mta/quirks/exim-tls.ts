import { PROGRAMS } from '../programs.ts';
import type { Quirk } from '../quirk.ts';

/** Exim that demands TLS at RCPT, for each recipient: `530 5.7.0`. */
export const eximTls: Quirk = {
  name: 'exim-tls',
  programs: [PROGRAMS.exim],
  files: ({ ip, port, folder, host, domain, key, certificate }) => ({
    'exim.conf': `
local_interfaces = ${ip}
daemon_smtp_ports = ${port}
primary_hostname = ${host}
spool_directory = ${folder}/spool
log_file_path = ${folder}/spool/%slog
log_selector = +smtp_connection
host_lookup =
tls_advertise_hosts = *
tls_certificate = ${certificate}
tls_privatekey = ${key}
acl_smtp_rcpt = check_rcpt

begin acl

check_rcpt:
  deny message = 530 5.7.0 Must issue a STARTTLS command first
    !encrypted = *
  require message = relay not permitted
    domains = ${domain}
  require verify = recipient
  accept

begin routers

mailboxes:
  driver = accept
  local_parts = \\N^u[0-9]+$\\N
  transport = nowhere

begin transports

nowhere:
  driver = appendfile
  file = /dev/null
`,
  }),
  prepare: ({ folder }) => [
    ['mkdir', `${folder}/spool`],
    ['chown', 'Debian-exim', `${folder}/spool`],
  ],
  daemons: ({ folder }) => [
    {
      run: [PROGRAMS.exim, '-C', `${folder}/exim.conf`, '-bdf', '-oP', `${folder}/spool/exim.pid`],
      logFile: 'spool/mainlog',
    },
  ],
  connected: /SMTP connection from/g,
  batches: { 50: 14, 200: 34 },
};
