import * as fc from 'fast-check';
import type { Outcome } from '../../schema/evidence.ts';
import { type ScriptedReply, close, type Script, type SessionRecord, silence, wait } from './script.ts';

// Random fleets: domains at one mail host, each with its own mailboxes and policy, and a host with behaviour of its
// own. The truth about a domain's mailboxes is known here, so each finding can be checked against it.

const MAILBOXES = {
  lives: '250 2.1.5 Ok',
  gone: '550 5.1.1 User unknown',
  full: '452 4.2.2 Mailbox full',
  greylisted: '450 4.2.0 Greylisted, please try again in 300 seconds',
  policy: '550 5.7.1 Message rejected due to local policy',
  odd: '554 5.0.0 Nothing is known about this',
} as const;

type Kind = keyof typeof MAILBOXES;

export type FleetDomain = {
  readonly users: readonly Kind[];
  /** The domain's reply for a mailbox that does not exist. */
  readonly madeUp: Kind;
};

const END = {
  '421': ['421 4.7.0 Too many errors on this connection\r\n', close],
  close: [close],
  silence,
} satisfies Record<string, ScriptedReply>;

export type FleetHost = {
  readonly greeting: string;
  readonly offers: readonly string[];
  /** Says `250 ok` to everything it accepts. */
  readonly bare: boolean;
  /** A session allows this many refusals, and this follows at the next RCPT. */
  readonly refusals: { readonly borne: number; readonly after: keyof typeof END };
  readonly transactions: { readonly borne: number; readonly after: 'close' | '421' | '452' | '503' | '550' };
  /** RCPTs in one transaction before `452 4.5.3`. */
  readonly recipients: number;
  readonly sessions: {
    readonly borne: number;
    readonly at: 'greeting' | 'EHLO';
    readonly after: '421' | '554' | 'close';
  };
  /** How long a refusal takes. `doubles`: each further one in a session takes twice as long. */
  readonly refusalMs: { readonly first: number; readonly doubles: boolean };
  readonly rset: 'ok' | '502' | '503' | 'close';
};

/** Any domain: most are plain. */
export const anyDomain: fc.Arbitrary<FleetDomain> = fc.record({
  users: fc.array(fc.constantFrom<Kind>('lives', 'lives', 'gone', 'gone', 'full', 'greylisted', 'policy', 'odd'), {
    minLength: 1,
    maxLength: 4,
  }),
  madeUp: fc.constantFrom<Kind>('gone', 'gone', 'gone', 'lives', 'greylisted', 'policy', 'odd'),
});

const never = 1_000;

/** Any host: most of its behaviour is plain. */
export const anyHost: fc.Arbitrary<FleetHost> = fc.record({
  greeting: fc.constantFrom('220 mx.test ESMTP', '220 mx.test ESMTP Postfix', '220 mx.test ESMTP Exim 4.96'),
  offers: fc.constantFrom<readonly string[]>(['8BITMIME'], ['PIPELINING'], ['PIPELINING', 'PIPECONNECT']),
  bare: fc.constantFrom(false, false, true),
  refusals: fc.record({
    borne: fc.constantFrom(never, never, 2, 3, 5, 10),
    after: fc.constantFrom<keyof typeof END>('421', '421', 'close', 'silence'),
  }),
  transactions: fc.record({
    borne: fc.constantFrom(never, never, 1, 2, 5),
    after: fc.constantFrom<'close' | '421' | '452' | '503' | '550'>('close', '421', '452', '503', '550'),
  }),
  recipients: fc.constantFrom(never, never, never, 1, 2, 3),
  sessions: fc.record({
    borne: fc.constantFrom(never, never, never, 1, 2, 4),
    at: fc.constantFrom<'greeting' | 'EHLO'>('greeting', 'EHLO'),
    after: fc.constantFrom<'421' | '554' | 'close'>('421', '554', 'close'),
  }),
  refusalMs: fc.constantFrom(
    { first: 0, doubles: false },
    { first: 0, doubles: false },
    { first: 1_000, doubles: false },
    { first: 6_000, doubles: false },
    { first: 2_000, doubles: true },
  ),
  rset: fc.constantFrom<'ok' | '502' | '503' | 'close'>('ok', 'ok', 'ok', 'ok', '502', '503', 'close'),
});

/** All addresses of a fleet, in the order of its domains. */
export function addressesOf(domains: readonly FleetDomain[]): string[] {
  return domains.flatMap(({ users }, d) => users.map((_, u) => `u${u}@d${d}.test`));
}

/** The host's answer about a mailbox, apart from its faults. */
export function kindOf(domains: readonly FleetDomain[], mailbox: string): Kind {
  const [, user, d] = /^(?:u(\d+))?.*@d(\d+)\./.exec(mailbox) ?? [];
  const domain = domains[Number(d)];
  return (user === undefined ? domain?.madeUp : domain?.users[Number(user)]) ?? 'gone';
}

/** Outcomes about the host's names or the domain as a whole, which are fine here. */
const OF_THE_DOMAIN: ReadonlySet<Outcome['kind']> = new Set([
  'no_mail_domain',
  'mx_private',
  'mx_hosts_missing',
  'no_smtputf8',
  'provider_blocks_probe',
]);

/** What is wrong with the outcome of a mailbox; null: it is true, or nothing was learnt. */
export function lieIn(outcome: Outcome, kind: Kind, madeUp: Kind): string | null {
  if (outcome.kind === 'accepted') {
    if (kind !== 'lives') return 'is accepted';
    if (outcome.madeUp.kind === 'refused' && madeUp !== 'gone' && madeUp !== 'odd')
      return 'has a made-up neighbour that was not refused';
    return outcome.madeUp.kind === 'accepted' && madeUp !== 'lives' ? 'is called catch-all' : null;
  }
  if (outcome.kind === 'no_such_mailbox') {
    const isShown = outcome.basis === 'controls' && kind === 'odd' && madeUp === 'odd';
    return kind === 'gone' || isShown ? null : 'is called unknown';
  }
  if (outcome.kind === 'mailbox_full') return kind === 'full' ? null : 'is called full';
  return OF_THE_DOMAIN.has(outcome.kind) ? `gets a verdict of its domain, ${outcome.kind}` : null;
}

type Said = { refusals: number; transactions: number; recipients: number };

/** The host as a script. It counts the open sessions by its own records. */
export function scriptOf(
  domains: readonly FleetDomain[],
  host: FleetHost,
  sessions: () => readonly SessionRecord[],
): Script {
  const said = new Map<SessionRecord, Said>();
  const of = (session: SessionRecord): Said => {
    const known = said.get(session) ?? { refusals: 0, transactions: 0, recipients: 0 };
    said.set(session, known);
    return known;
  };
  const tooMany = new Set<SessionRecord>();
  const crowded = (at: 'greeting' | 'EHLO', session: SessionRecord): ScriptedReply | undefined => {
    const others = sessions().filter((one) => one.number < session.number && !one.closed && !tooMany.has(one));
    if (host.sessions.at !== at || others.length < host.sessions.borne) return undefined;
    tooMany.add(session);
    if (host.sessions.after === 'close') return [close];
    return host.sessions.after === '421'
      ? ['421 4.7.0 Too many concurrent connections from your host\r\n', close]
      : ['554 5.7.1 Service refused\r\n', close];
  };
  return {
    greeting: (session) => crowded('greeting', session) ?? `${host.greeting}\r\n`,
    offers: host.offers,
    rcpt: (mailbox, session) => answerToRcpt(host, MAILBOXES[kindOf(domains, mailbox)], of(session)),
    on: (line, session) => {
      if (line.startsWith('EHLO')) return crowded('EHLO', session);
      if (line === 'RSET') return answerToRset(host);
      return line.startsWith('MAIL') ? answerToMail(host, of(session)) : undefined;
    },
  };
}

function answerToRset({ rset, bare }: FleetHost): ScriptedReply | undefined {
  switch (rset) {
    case 'ok':
      return bare ? '250 ok\r\n' : undefined;
    case '502':
      return '502 5.5.1 Command not implemented\r\n';
    case '503':
      return '503 5.5.1 Bad sequence of commands\r\n';
    case 'close':
      return [close];
  }
}

function answerToMail({ transactions, bare }: FleetHost, said: Said): ScriptedReply {
  said.transactions += 1;
  said.recipients = 0;
  if (said.transactions <= transactions.borne) return bare ? '250 ok\r\n' : '250 2.1.0 Ok\r\n';
  return {
    close: [close],
    '421': ['421 4.7.0 Too many messages in this session\r\n', close],
    '452': '452 4.5.3 Too many messages\r\n',
    '503': '503 5.5.1 Bad sequence of commands\r\n',
    '550': '550 5.7.1 One message a session\r\n',
  }[transactions.after];
}

function answerToRcpt({ refusals, recipients, refusalMs, bare }: FleetHost, reply: string, said: Said): ScriptedReply {
  said.recipients += 1;
  if (said.refusals >= refusals.borne) return END[refusals.after];
  if (said.recipients > recipients) return '452 4.5.3 Too many recipients\r\n';
  if (reply.startsWith('2')) return bare ? '250 ok\r\n' : `${reply}\r\n`;
  const waitMs = refusalMs.first * (refusalMs.doubles ? 2 ** said.refusals : 1);
  said.refusals += 1;
  return waitMs === 0 ? `${reply}\r\n` : [wait(waitMs), `${reply}\r\n`];
}
