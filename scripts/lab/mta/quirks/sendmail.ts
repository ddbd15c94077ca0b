import type { Quirk } from '../quirk.ts';

const ROOT = '/usr/local/lib/rcpt-sendmail/usr';

type Own = Pick<Quirk, 'name' | 'takesAll' | 'batches'> & { readonly virtusers: (domain: string) => string };

/** A Sendmail of its own with this virtusertable, which serves however busy the machine is. */
const sendmailWith = ({ virtusers, ...own }: Own): Quirk => ({
  ...own,
  programs: [`${ROOT}/libexec/sendmail/sendmail`, `${ROOT}/share/sendmail/cf/m4/cf.m4`, '/usr/bin/m4'],
  files: ({ ip, port, folder, host, domain }) => ({
    'sendmail.mc': `
OSTYPE(\`linux')dnl
define(\`confDOMAIN_NAME', \`${host}')dnl
define(\`confPID_FILE', \`${folder}/pid')dnl
define(\`QUEUE_DIR', \`${folder}/queue')dnl
undefine(\`ALIAS_FILE')dnl
define(\`STATUS_FILE', \`${folder}/statistics')dnl
define(\`HELP_FILE', \`${folder}/helpfile')dnl
define(\`confDONT_PROBE_INTERFACES', \`True')dnl
define(\`confDONT_BLAME_SENDMAIL', \`MapInUnsafeDirPath')dnl
define(\`confTO_IDENT', \`0')dnl
define(\`confQUEUE_LA', \`1000')dnl
define(\`confREFUSE_LA', \`1000')dnl
DAEMON_OPTIONS(\`Addr=${ip}, Port=${port}, Name=MTA')dnl
FEATURE(\`accept_unresolvable_domains')dnl
FEATURE(\`nocanonify')dnl
FEATURE(\`virtusertable', \`text -k0 -v1 ${folder}/virtusertable')dnl
VIRTUSER_DOMAIN(\`${domain}')dnl
LOCAL_DOMAIN(\`${domain}')dnl
FEATURE(\`no_default_msa')dnl
MAILER(\`local')dnl
MAILER(\`smtp')dnl
`,
    virtusertable: virtusers(domain),
  }),
  prepare: ({ folder }) => [
    ['mkdir', '-p', `${folder}/queue`],
    [
      'sh',
      '-c',
      `m4 -D_CF_DIR_=${ROOT}/share/sendmail/cf/ ${ROOT}/share/sendmail/cf/m4/cf.m4 ${folder}/sendmail.mc > ${folder}/sendmail.cf`,
    ],
  ],
  daemons: ({ folder, host }) => [
    {
      // It waits a minute for a machine's name that has no dot.
      run: [
        'unshare',
        '--uts',
        'sh',
        '-c',
        `hostname ${host} && exec ${ROOT}/libexec/sendmail/sendmail -bD -C ${folder}/sendmail.cf -X ${folder}/traffic`,
      ],
      logFile: 'traffic',
    },
  ],
  connected: />>> 220 /g,
});

/** Sendmail whose virtusertable leads many addresses to one box: it answers all of them in the name of the first. */
export const sendmail = sendmailWith({
  name: 'sendmail',
  virtusers: (domain) => Array.from({ length: 250 }, (_, i) => `u${i}@${domain} root\n`).join(''),
  batches: { 10: 6, 50: 14, 200: 40 },
});

/** Sendmail that leads a whole domain to one box, and answers every recipient in the name of the first. */
export const sendmailCatchAll = sendmailWith({
  name: 'sendmail-catch-all',
  virtusers: (domain) => `@${domain} root\n`,
  takesAll: true,
  batches: { 10: 4, 200: 8 },
});
