import { SERVERS, type Server } from './servers.ts';
import { DOMAIN_SUFFIX, hostOf, POSTFIX_DOMAINS } from './names.ts';

// One Postfix with a service per behaviour: main.cf is what they share, a row of `SERVICES` what sets one apart.

export type PostfixPlan = {
  readonly folder: string;
  readonly smtpPort: number;
  readonly key: string;
  readonly certificate: string;
};

type Options = Readonly<Record<string, string>>;

/** As strict as Postfix can be: a breach of the protocol must show here. */
export function writeMainCf(plan: PostfixPlan): string {
  return toLines({
    compatibility_level: '3.7',
    queue_directory: `${plan.folder}/queue`,
    data_directory: `${plan.folder}/data`,
    maillog_file: '/dev/stdout',
    // The services below name their addresses themselves, which need not be configured on an interface then.
    inet_interfaces: 'loopback-only',
    inet_protocols: 'ipv4',
    myhostname: hostOf('postscreen'),
    mydestination: '',
    mynetworks: '',
    alias_maps: '',
    // Mail that comes in waits for leave of the queue manager, which has no work here and is not started.
    in_flow_delay: '0',
    // A loopback client has no name, and asking for one can take long.
    smtpd_peername_lookup: 'no',
    virtual_mailbox_domains: POSTFIX_DOMAINS.join(', '),
    virtual_mailbox_maps: `regexp:${plan.folder}/etc/mailboxes`,
    relocated_maps: `regexp:${plan.folder}/etc/relocated`,
    smtpd_helo_required: 'yes',
    smtpd_helo_restrictions: 'reject_invalid_helo_hostname, reject_non_fqdn_helo_hostname',
    smtpd_sender_restrictions: 'reject_non_fqdn_sender',
    smtpd_relay_restrictions: 'reject_unauth_destination',
    smtpd_recipient_restrictions: checkRecipient(plan),
    smtpd_forbid_unauth_pipelining: 'yes',
    strict_rfc821_envelopes: 'yes',
    disable_vrfy_command: 'yes',
    smtpd_tls_cert_file: plan.certificate,
    smtpd_tls_key_file: plan.key,
    // Enough to see who talks first, and short for a test.
    postscreen_greet_wait: '2s',
    postscreen_greet_action: 'enforce',
  });
}

const checkRecipient = (plan: PostfixPlan) => `check_recipient_access regexp:${plan.folder}/etc/recipients`;

type Service = { readonly server: Server; readonly program: 'smtpd' | 'postscreen'; readonly options: Options };

const smtpd = (server: Server, options: Options): Service => ({ server, program: 'smtpd', options });
const postscreen = (server: Server, cache: string, options: Options): Service => ({
  server,
  program: 'postscreen',
  options: { postscreen_cache_map: `btree:${cache}`, ...options },
});

function services(plan: PostfixPlan): readonly Service[] {
  const cache = `${plan.folder}/data/cache`;
  const atOnce = { smtpd_delay_reject: 'no' };
  const greylist = `reject_unlisted_recipient, check_recipient_access regexp:${plan.folder}/etc/greylist`;
  return [
    smtpd('postfix', {}),
    smtpd('greylisting', { smtpd_recipient_restrictions: greylist }),
    smtpd('tls', { smtpd_tls_security_level: 'encrypt' }),
    smtpd('plain', {
      smtpd_discard_ehlo_keywords: 'pipelining, smtputf8',
      virtual_mailbox_domains: `plain.${DOMAIN_SUFFIX}`,
    }),
    smtpd('refusesConnection', { smtpd_client_restrictions: 'reject', ...atOnce }),
    smtpd('refusesHelo', { smtpd_helo_restrictions: 'reject', ...atOnce }),
    smtpd('refusesSender', { smtpd_sender_restrictions: 'reject', ...atOnce }),
    smtpd('refusesClient', { smtpd_client_restrictions: 'reject' }),
    smtpd('defersClient', { smtpd_client_restrictions: 'defer', ...atOnce }),
    smtpd('tight', { smtpd_soft_error_limit: '2', smtpd_hard_error_limit: '3', smtpd_recipient_limit: '5' }),
    // Forgets at once whom it saw waiting, so that every session is put to the test.
    postscreen('postscreen', cache, { postscreen_greet_ttl: '1s' }),
    postscreen('postscreenDeep', `${cache}-deep`, {
      postscreen_pipelining_enable: 'yes',
      postscreen_pipelining_action: 'enforce',
      postscreen_non_smtp_command_enable: 'yes',
      postscreen_bare_newline_enable: 'yes',
      postscreen_bare_newline_action: 'enforce',
    }),
  ];
}

/** One entry a service, and the helpers that they call on; every chroot column says no. */
export function writeMasterCf(plan: PostfixPlan): string {
  const inet = services(plan).map(({ server, program, options }) => {
    const processes = program === 'postscreen' ? '1' : '-';
    const own = Object.entries({ myhostname: hostOf(server), ...options });
    const head = `${SERVERS[server]}:${plan.smtpPort} inet n - n - ${processes} ${program}`;
    return [head, ...own.map(([name, value]) => `  -o { ${name} = ${value} }`)].join('\n');
  });
  return `${[...inet, ...HELPERS].join('\n')}\n`;
}

export const HELPERS = [
  // postscreen hands over whom it trusts.
  'smtpd pass - - n - - smtpd',
  'tlsproxy unix - - n - 0 tlsproxy',
  'dnsblog unix - - n - 0 dnsblog',
  'cleanup unix n - n - 0 cleanup',
  'rewrite unix - - n - - trivial-rewrite',
  'proxymap unix - - n - - proxymap',
  'tlsmgr unix - - n 1000? 1 tlsmgr',
  'anvil unix - - n - 1 anvil',
  'postlog unix-dgram n - n - 1 postlogd',
];

export const toLines = (options: Options) =>
  Object.entries(options)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');
