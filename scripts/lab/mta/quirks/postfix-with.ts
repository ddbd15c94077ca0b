import { HELPERS, toLines } from '../postfix-config.ts';
import { PROGRAMS } from '../programs.ts';
import type { At, Quirk, QuirkDaemon } from '../quirk.ts';

type Own = Pick<Quirk, 'name' | 'apart' | 'batches' | 'greylists' | 'takesAll'> & {
  /** Beside Postfix. */
  readonly programs?: Quirk['programs'];
  /** What answers at the port; default: smtpd. */
  readonly service?: 'postscreen';
  readonly options: (at: At) => Readonly<Record<string, string>>;
  readonly before?: Quirk['daemons'];
};

/** A Postfix of its own with Debian's defaults, and these options. */
export const postfixWith = ({ options, before = () => [], programs = [], service, ...own }: Own): Quirk => ({
  ...own,
  programs: [PROGRAMS.postfix, PROGRAMS.postfixMaster, ...programs],
  files: (at) => ({
    'etc/main.cf': toLines({
      compatibility_level: '3.6',
      queue_directory: `${at.folder}/queue`,
      data_directory: `${at.folder}/data`,
      maillog_file: '/dev/stdout',
      inet_interfaces: 'loopback-only',
      inet_protocols: 'ipv4',
      myhostname: at.host,
      mydestination: '',
      mynetworks: '',
      alias_maps: '',
      in_flow_delay: '0',
      smtpd_peername_lookup: 'no',
      virtual_mailbox_domains: at.domain,
      virtual_mailbox_maps: `regexp:${at.folder}/etc/mailboxes`,
      smtpd_relay_restrictions: 'reject_unauth_destination',
      smtpd_tls_cert_file: at.certificate,
      smtpd_tls_key_file: at.key,
      ...options(at),
    }),
    'etc/master.cf': `${[`${at.ip}:${at.port} inet n - n - ${service === undefined ? '- smtpd' : `1 ${service}`}`, ...HELPERS].join('\n')}\n`,
    'etc/mailboxes': '/^u[0-9]+@/ yes\n',
    'etc/domains': `/\\.${at.domain}$/ yes\n`,
  }),
  prepare: ({ folder }) => [
    ['mkdir', '-p', `${folder}/queue`, `${folder}/data`],
    ['chown', 'postfix', `${folder}/data`],
    [PROGRAMS.postfix, '-c', `${folder}/etc`, 'check'],
  ],
  daemons: (at): readonly QuirkDaemon[] => [
    ...before(at),
    { run: [PROGRAMS.postfixMaster, '-c', `${at.folder}/etc`, '-s'], env: { MAIL_CONFIG: `${at.folder}/etc` } },
  ],
  // Postscreen's own line: smtpd has one too for whom it lets through.
  connected: service === undefined ? /: connect from /g : /: CONNECT from /g,
});
