import { SERVERS } from './servers.ts';

// The names of the suite's mail world, as master files (RFC 1035 §5).

/** The zone of everything that NSD knows. */
export const ZONE = 'test';
/** Every domain of the suite lies below it. */
export const DOMAIN_SUFFIX = 'real.test';
/** NSD has no file for it: SERVFAIL. */
export const BROKEN_ZONE = 'broken.test';
/** NSD does not know it: REFUSED. */
export const FOREIGN_ZONE = 'foreign.example';

/** Domains with one MX host: `<domain>.real.test` is served by the named server. */
const SERVED = {
  mailbox: 'postfix',
  catchall: 'postfix',
  relay: 'postfix',
  greylist: 'greylisting',
  'catchall-greylist': 'greylisting',
  tls: 'tls',
  postscreen: 'postscreen',
  'postscreen-deep': 'postscreenDeep',
  plain: 'plain',
  'no-connection': 'refusesConnection',
  'no-helo': 'refusesHelo',
  'no-sender': 'refusesSender',
  'no-client': 'refusesClient',
  later: 'defersClient',
  tight: 'tight',
  exim: 'exim',
  'exim-slow': 'eximSlow',
  courier: 'courier',
  sendmail: 'sendmail',
  refused: 'nobody',
  'xn--bcher-kva': 'postfix',
} as const satisfies Record<string, keyof typeof SERVERS>;

export const MX_MANY = 100;

const OTHERS: readonly string[] = ['exim', 'eximSlow', 'courier', 'sendmail', 'nobody'];

/** What Postfix calls its own; `relay` has its MX there all the same. */
export const POSTFIX_DOMAINS = Object.entries(SERVED)
  .filter(([domain, server]) => domain !== 'relay' && !OTHERS.includes(server))
  .map(([domain]) => domain)
  .concat('implicit', 'cname-mx', 'cname-domain', 'several', 'mixed', 'two-minds', 'many')
  .map((domain) => `${domain}.${DOMAIN_SUFFIX}`);

/** The MX host name of a server: each is a mail provider of its own, so that the limits of one are not the others'. */
export const hostOf = (server: string): string => `mx.${server.toLowerCase()}.test`;
const at = (server: string): string => `${hostOf(server)}.`;

/** The zone: each server's host, each domain below `real.test` with its MX records, and the odd cases of DNS. */
export function writeZone(): string {
  const hosts = Object.entries(SERVERS).map(([server, ip]) => `${at(server)} A ${ip}`);
  const served = Object.entries(SERVED).map(([domain, server]) => `${domain} MX 10 ${at(server)}`);
  const many = Array.from({ length: MX_MANY }, (_, i) => `many MX ${i + 1} ${i === 0 ? at('postfix') : `m${i}.many`}`);
  return `$ORIGIN ${ZONE}.
$TTL 60
@ SOA ns hostmaster 1 3600 600 86400 60
@ NS ns
ns A 127.0.0.1
$ORIGIN ${DOMAIN_SUFFIX}.
${[...hosts, ...served, ...many, ...ODD].join('\n')}
`;
}

const ODD = [
  'null-mx MX 0 .',
  // The name exists, but neither as MX nor as an address.
  'textonly TXT "no mail here"',
  `implicit A ${SERVERS.postfix}`,
  `implicit-silent A ${SERVERS.nobody}`,
  // RFC 5321 forbids a CNAME at an MX; the world publishes them.
  'cname-mx MX 10 alias',
  `alias CNAME ${at('postfix')}`,
  // RFC 1034: the domain itself may be one.
  'cname-domain CNAME mailbox',
  'cname-loop MX 10 loop1',
  'loop1 CNAME loop2',
  'loop2 CNAME loop1',
  // Preference order: the first two cannot be reached.
  `several MX 30 ${at('postfix')}`,
  'several MX 10 gone',
  `several MX 20 ${at('nobody')}`,
  'gone-only MX 10 gone',
  'gone-only MX 20 gone-too',
  'private MX 10 inside',
  'inside A 10.20.30.40',
  'inside AAAA fd00::1',
  `mixed MX 10 inside`,
  `mixed MX 20 ${at('postfix')}`,
  // The first host denies relaying, the second serves the domain.
  `two-minds MX 10 ${at('plain')}`,
  `two-minds MX 20 ${at('postfix')}`,
  'unsure MX 10 host.broken.test.',
  'literal-mx MX 10 192.0.2.1.',
];
