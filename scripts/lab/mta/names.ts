import { type NameServer, type Say, startNameServer } from '../../../prober/testing/name-server.ts';
import { SERVERS } from './servers.ts';

// The names of the suite's mail world.

/** The zone of everything that the name server knows. */
export const ZONE = 'test';
/** Every domain of the suite lies below it. */
export const DOMAIN_SUFFIX = 'real.test';
/** Answered with SERVFAIL. */
export const BROKEN_ZONE = 'broken.test';
/** Answered with REFUSED. */
export const FOREIGN_ZONE = 'foreign.example';

/** Domains with one MX host: `<domain>.real.test` is served by the named server. */
const SERVED = {
  mailbox: 'postfix',
  catchall: 'postfix',
  relay: 'postfix',
  greylist: 'greylisting',
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
  refused: 'nobody',
  'xn--bcher-kva': 'postfix',
} as const satisfies Record<string, keyof typeof SERVERS>;

const MX_MANY = 100;
const OTHERS: readonly string[] = ['exim', 'eximSlow', 'nobody'];

/** What Postfix calls its own; `relay` has its MX there all the same. */
export const POSTFIX_DOMAINS = Object.entries(SERVED)
  .filter(([domain, server]) => domain !== 'relay' && !OTHERS.includes(server))
  .map(([domain]) => domain)
  .concat('implicit', 'cname-mx', 'cname-domain', 'several', 'mixed', 'two-minds', 'many')
  .map((domain) => `${domain}.${DOMAIN_SUFFIX}`);

/** The MX host name of a server: each is a mail provider of its own, so that the limits of one are not the others'. */
export const hostOf = (server: string): string => `mx.${server.toLowerCase()}.test`;

type Records = {
  readonly mx?: ReadonlyArray<readonly [number, string]>;
  readonly a?: string;
  readonly aaaa?: string;
  readonly cname?: string;
};
const inZone = (name: string): string => `${name}.${DOMAIN_SUFFIX}`;
const mx = (...records: ReadonlyArray<readonly [number, string]>): Records => ({ mx: records });

const NAMES: ReadonlyMap<string, Records> = new Map<string, Records>([
  ...Object.entries(SERVERS).map(([server, ip]) => [hostOf(server), { a: ip }] as const),
  ...Object.entries(SERVED).map(([domain, server]) => [inZone(domain), mx([10, hostOf(server)])] as const),
  [
    inZone('many'),
    { mx: Array.from({ length: MX_MANY }, (_, i) => [i + 1, i === 0 ? hostOf('postfix') : inZone(`m${i}.many`)]) },
  ],
  [inZone('null-mx'), mx([0, ''])],
  // The name exists, but neither as MX nor as an address.
  [inZone('textonly'), {}],
  [inZone('implicit'), { a: SERVERS.postfix }],
  [inZone('implicit-silent'), { a: SERVERS.nobody }],
  // RFC 5321 forbids a CNAME at an MX; the world publishes them.
  [inZone('cname-mx'), mx([10, inZone('alias')])],
  [inZone('alias'), { cname: hostOf('postfix') }],
  // RFC 1034: the domain itself may be one.
  [inZone('cname-domain'), { cname: inZone('mailbox') }],
  [inZone('cname-loop'), mx([10, inZone('loop1')])],
  [inZone('loop1'), { cname: inZone('loop2') }],
  [inZone('loop2'), { cname: inZone('loop1') }],
  // Preference order: the first two cannot be reached.
  [inZone('several'), mx([30, hostOf('postfix')], [10, inZone('gone')], [20, hostOf('nobody')])],
  [inZone('gone-only'), mx([10, inZone('gone')], [20, inZone('gone-too')])],
  [inZone('private'), mx([10, inZone('inside')])],
  [inZone('inside'), { a: '10.20.30.40', aaaa: 'fd00::1' }],
  [inZone('mixed'), mx([10, inZone('inside')], [20, hostOf('postfix')])],
  // The first host denies relaying, the second serves the domain.
  [inZone('two-minds'), mx([10, hostOf('plain')], [20, hostOf('postfix')])],
  [inZone('unsure'), mx([10, `host.${BROKEN_ZONE}`])],
]);

/** Starts the name server of the suite, for UDP and TCP. */
export function startNames(): Promise<NameServer> {
  return startNameServer(({ name, type }) => {
    if (name.endsWith(BROKEN_ZONE)) return { rcode: 'SERVFAIL' };
    if (name.endsWith(FOREIGN_ZONE)) return { rcode: 'REFUSED' };
    return find(name, type);
  });
}

function find(name: string, type: string, links = 0): Say {
  const records = NAMES.get(name);
  if (records === undefined) return { rcode: 'NXDOMAIN' };
  const { cname } = records;
  if (cname !== undefined && links < 8) return { cname, leadsTo: find(cname, type, links + 1) };
  if (type === 'MX' && records.mx !== undefined) return { mx: records.mx };
  const ip = type === 'A' ? records.a : type === 'AAAA' ? records.aaaa : undefined;
  return ip === undefined ? 'nodata' : { ip: [ip] };
}
