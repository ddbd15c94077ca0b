// How the .test mail world behaves: its names in DNS and its mail servers. Pure data; dns-server.ts and mail-server.ts make it
// real, world.ts says what each address of it must come to.

/** What an orderly mail server answers: the whole reply, code and words. */
export type MailServer = {
  readonly kind: 'mail';
  /** Refuses the connection with this greeting. */
  readonly greeting?: string;
  /** Refuses every MAIL FROM. */
  readonly mail?: string;
  /** By local part; `*` is everyone else. */
  readonly rcpt: Readonly<Record<string, string>>;
  /** Offers SMTPUTF8 (RFC 6531). */
  readonly smtpUtf8?: boolean;
};

/** Text is written as it is with CR LF behind it. `flood` never stops writing and never ends a line. */
export type Step = string | { readonly act: 'silence' | 'reset' | 'close' | 'flood' };

/** What a server that no library would play does at each point of the dialogue. */
export type HostileServer = {
  readonly kind: 'hostile';
  readonly greeting: Step;
  readonly ehlo?: Step;
  readonly mail?: Step;
  /** By local part; `*` is everyone else. */
  readonly rcpt?: Readonly<Record<string, Step>>;
};

export type Server = MailServer | HostileServer;

/** No answer that says anything. */
export type DnsFailure = 'SERVFAIL' | 'REFUSED' | 'no_answer';

/** Where a host name leads: a server of ours, an address, nowhere, or a failed look-up. `closed`: nobody listens. */
export type Host =
  | Server
  | { readonly kind: 'address'; readonly ip: string }
  | { readonly kind: 'closed' }
  | DnsFailure;

export type Domain = {
  /** MX host names in order of preference; `null_mx` is RFC 7505's. Without it the domain has no MX record. */
  readonly mx?: readonly string[] | 'null_mx' | DnsFailure;
  /** The names of this domain that have addresses; the domain's own name among them is an implicit MX. */
  readonly hosts?: Readonly<Record<string, Host>>;
  /** Its hosts have another address at each look-up: see `moving`. */
  readonly moves?: true;
};

/**
 * The zones that the sandbox's DNS server answers for: .test, and what cannot be shown there, by names that nobody has:
 * an MX of the provider that blocks probing, one of the provider that accepts everyone, a disposable domain, a typo.
 */
export const ZONES = [
  'test',
  'sandbox.olc.protection.outlook.com',
  'sandbox.yahoodns.net',
  'sandbox.mailinator.com',
  'gmail.con',
] as const;

const UNKNOWN = '550 5.1.1 Recipient address rejected: User unknown in local recipient table';
const silence = { act: 'silence' } as const;
const reset = { act: 'reset' } as const;

/** A domain with one MX host, `mx.<name>`. */
function served(name: string, server: Host): readonly [string, Domain] {
  return [name, { mx: [`mx.${name}`], hosts: { [`mx.${name}`]: server } }];
}

/**
 * A server that complains about the prober before RCPT makes it keep away from that address, for longer each time. At
 * a new address for each look-up it is a server not met before, so that asking again shows the same as the first time.
 */
function moving([name, domain]: readonly [string, Domain]): readonly [string, Domain] {
  return [name, { ...domain, moves: true }];
}

/** A server that accepts `ok` and does something else to everyone it does not know. */
function acceptsOkThen(name: string, others: string): readonly [string, Domain] {
  return served(name, { kind: 'mail', rcpt: { ok: '250 OK', '*': others } });
}

function hostile(name: string, server: Omit<HostileServer, 'kind'>): readonly [string, Domain] {
  return served(name, { kind: 'hostile', ...server });
}

/** Every domain of the sandbox. A name that is neither here nor one of a domain's hosts does not exist. */
export const DOMAINS: ReadonlyMap<string, Domain> = new Map([
  served('deliverable.test', {
    kind: 'mail',
    smtpUtf8: true,
    rcpt: {
      ok: '250 OK',
      info: '250 OK',
      postmaster: '250 OK',
      ü: '250 OK',
      '"two words"': '250 OK',
      full: '452 4.2.2 The mailbox is over quota, please try again later',
      overquota: '552 5.2.2 Mailbox full: the user has exceeded the storage quota',
      disabled: '550 5.2.1 The mailbox is disabled and does not accept messages',
      moved: '551 5.1.6 The user has moved away, mailbox no longer here',
      greylisted: '450 4.2.0 Recipient address rejected: Greylisted, please try again in 420 seconds',
      busy: '451 4.3.0 Temporary lookup failure, please try again later',
      '*': UNKNOWN,
    },
  }),
  served('catchall.test', { kind: 'mail', rcpt: { '*': '250 OK' } }),
  [
    'provider-accepts-all.test',
    {
      mx: ['mta.sandbox.yahoodns.net'],
      // Would refuse a made-up mailbox, and so give another verdict than the table's.
      hosts: { 'mta.sandbox.yahoodns.net': { kind: 'mail', rcpt: { ok: '250 OK', '*': UNKNOWN } } },
    },
  ],
  served('sandbox.mailinator.com', { kind: 'mail', rcpt: { ok: '250 OK', '*': UNKNOWN } }),
  served('gmail.con', { kind: 'mail', rcpt: { ok: '250 OK', '*': UNKNOWN } }),
  served('xn--bcher-kva.test', { kind: 'mail', rcpt: { ok: '250 OK', '*': UNKNOWN } }),
  served('ascii-only.test', { kind: 'mail', rcpt: { ok: '250 OK', '*': UNKNOWN } }),
  [
    'backup-mx.test',
    {
      mx: ['mx1.backup-mx.test', 'mx2.backup-mx.test'],
      hosts: {
        'mx1.backup-mx.test': { kind: 'closed' },
        'mx2.backup-mx.test': { kind: 'mail', rcpt: { ok: '250 OK', '*': UNKNOWN } },
      },
    },
  ],
  ['implicit-mx.test', { hosts: { 'implicit-mx.test': { kind: 'mail', rcpt: { ok: '250 OK', '*': UNKNOWN } } } }],

  // DNS alone
  ['null-mx.test', { mx: 'null_mx' }],
  ['no-records.test', {}],
  ['implicit-closed.test', { hosts: { 'implicit-closed.test': { kind: 'closed' } } }],
  ['implicit-silent.test', { hosts: { 'implicit-silent.test': { kind: 'hostile', greeting: silence } } }],
  ['servfail.test', { mx: 'SERVFAIL' }],
  ['dns-refused.test', { mx: 'REFUSED' }],
  ['dns-silent.test', { mx: 'no_answer' }],
  served('mx-servfail.test', 'SERVFAIL'),
  ['mx-missing.test', { mx: ['mx1.mx-missing.test', 'mx2.mx-missing.test'] }],
  served('private-mx.test', { kind: 'address', ip: '10.53.0.1' }),
  [
    'blocks-probe.test',
    {
      mx: ['blocks-probe-test.sandbox.olc.protection.outlook.com'],
      // Would accept everyone, and so give another verdict than the table's.
      hosts: { 'blocks-probe-test.sandbox.olc.protection.outlook.com': { kind: 'mail', rcpt: { '*': '250 OK' } } },
    },
  ],

  // before RCPT
  served('refused.test', { kind: 'closed' }),
  hostile('silent.test', { greeting: silence }),
  hostile('hangs-up.test', { greeting: { act: 'close' } }),
  hostile('resets.test', { greeting: reset }),
  moving(served('greeting-554.test', { kind: 'mail', greeting: '554 No SMTP service for you here', rcpt: {} })),
  moving(
    served('greeting-421.test', {
      kind: 'mail',
      greeting: '421 4.3.2 All server ports are busy, please try again later',
      rcpt: {},
    }),
  ),
  moving(
    hostile('ehlo-rejected.test', {
      greeting: '220 ehlo-rejected.test ESMTP',
      ehlo: '550 Your HELO name is not accepted here',
    }),
  ),
  served('mail-rejected.test', { kind: 'mail', mail: '550 5.1.8 Sender address rejected: Access denied', rcpt: {} }),
  served('mail-deferred.test', { kind: 'mail', mail: '451 4.3.2 System busy, please try again later', rcpt: {} }),
  hostile('tls-demanded.test', {
    greeting: '220 tls-demanded.test ESMTP',
    mail: '530 5.7.0 Must issue a STARTTLS command first',
  }),
  hostile('slow-mail.test', { greeting: '220 slow-mail.test ESMTP', mail: silence }),
  hostile('lost.test', { greeting: '220 lost.test ESMTP', rcpt: { '*': reset } }),
  hostile('garbage.test', { greeting: 'SSH-2.0-OpenSSH_9.6' }),
  hostile('endless.test', { greeting: '220 endless.test ESMTP', ehlo: { act: 'flood' } }),

  // at RCPT
  served('blocked.test', {
    kind: 'mail',
    rcpt: { '*': '554 5.7.1 Service unavailable; client host blocked using a block list' },
  }),
  served('closing.test', {
    kind: 'mail',
    rcpt: { '*': '421 4.3.0 Service not available, closing transmission channel' },
  }),
  served('relay-denied.test', { kind: 'mail', rcpt: { '*': '554 5.7.1 Relay access denied' } }),
  served('takes-no-mail.test', { kind: 'mail', rcpt: { '*': '556 5.1.10 This domain accepts no mail' } }),
  served('unexpected.test', { kind: 'mail', rcpt: { '*': '554 Transaction failed' } }),
  served('code-354.test', { kind: 'mail', rcpt: { '*': '354 Go on' } }),
  hostile('babbles.test', { greeting: '220 babbles.test ESMTP', rcpt: { '*': '<html>no SMTP here</html>' } }),

  // accepted, and the made-up mailbox not learnt
  acceptsOkThen('learns-greylisted.test', '450 4.2.0 Recipient address rejected: Greylisted, please try again later'),
  acceptsOkThen('learns-blocked.test', '554 Service unavailable; client host blocked using a block list'),
  acceptsOkThen('learns-nothing.test', '554 Transaction failed'),
  hostile('learns-silence.test', { greeting: '220 learns-silence.test ESMTP', rcpt: { ok: '250 OK', '*': silence } }),
  hostile('learns-reset.test', { greeting: '220 learns-reset.test ESMTP', rcpt: { ok: '250 OK', '*': reset } }),
  hostile('learns-garbage.test', {
    greeting: '220 learns-garbage.test ESMTP',
    rcpt: { ok: '250 OK', '*': '<html>no SMTP here</html>' },
  }),
]);
