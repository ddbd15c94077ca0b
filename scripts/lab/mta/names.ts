import { type NameServer, startNameServer } from '../../../prober/testing/name-server.ts';
import { SERVERS } from './servers.ts';

// The names of the suite's mail world.

/** The zone of everything that the name server knows. */
export const ZONE = 'test';
/** Every domain of the suite lies below it. */
export const DOMAIN_SUFFIX = 'real.test';

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

const OTHERS: readonly string[] = ['exim', 'eximSlow', 'nobody'];

/** What Postfix calls its own; `relay` has its MX there all the same. */
export const POSTFIX_DOMAINS = Object.entries(SERVED)
  .filter(([domain, server]) => domain !== 'relay' && !OTHERS.includes(server))
  .map(([domain]) => domain)
  .concat('several', 'two-minds')
  .map((domain) => `${domain}.${DOMAIN_SUFFIX}`);

/** The MX host name of a server: each is a mail provider of its own, so that the limits of one are not the others'. */
export const hostOf = (server: string): string => `mx.${server.toLowerCase()}.test`;

const inZone = (name: string): string => `${name}.${DOMAIN_SUFFIX}`;
type MxHosts = ReadonlyArray<readonly [preference: number, host: string]>;

const MX: ReadonlyMap<string, MxHosts> = new Map<string, MxHosts>([
  ...Object.entries(SERVED).map(([domain, server]) => [inZone(domain), [[10, hostOf(server)]]] as const),
  // The first two cannot be reached.
  [
    inZone('several'),
    [
      [30, hostOf('postfix')],
      [10, inZone('gone')],
      [20, hostOf('nobody')],
    ],
  ],
  // The first host denies relaying, the second serves the domain.
  [
    inZone('two-minds'),
    [
      [10, hostOf('plain')],
      [20, hostOf('postfix')],
    ],
  ],
]);
const A: ReadonlyMap<string, string> = new Map(Object.entries(SERVERS).map(([server, ip]) => [hostOf(server), ip]));

/** Starts the name server of the suite, for UDP and TCP. */
export function startNames(): Promise<NameServer> {
  return startNameServer(({ name, type }) => {
    const [mx, ip] = [MX.get(name), A.get(name)];
    if (mx !== undefined && type === 'MX') return { mx };
    if (ip !== undefined && type === 'A') return { ip: [ip] };
    return mx === undefined && ip === undefined ? { rcode: 'NXDOMAIN' } : 'nodata';
  });
}
