import { getServers } from 'node:dns';
import { isIP, isIPv4 } from 'node:net';
import { Bucket } from '../engine/limits/bucket.ts';
import { clock } from './clock.ts';
import { DnsServer } from './dns/look-up.ts';
import type { ServerAddress } from './dns/pipeline.ts';
import type { TellError } from '../base/exhaustion.ts';

/** No more servers than this are asked about one name. */
const SERVERS_MAX = 3;
const DNS_PORT = 53;
/**
 * Concurrent lookups in one scope. A single account has four fifths, which is 2,000 a second if an answer takes 100 ms.
 */
const LOOK_UPS_MAX = 256;
const NAME_OCTETS_MAX = 253;
/** A host name in DNS; underscores are allowed because real MX records have them. */
const HOST_NAME = /^[a-z0-9_][a-z0-9_-]{0,62}(\.[a-z0-9_][a-z0-9_-]{0,62})*$/;
/** RFC 6761 §6.3: these names are the host itself and never looked up. */
const LOCALHOST = /(^|\.)localhost$/;

export type ResolveOptions = {
  /** Resolvers, `IP` or `IP:PORT`, IPv6 in brackets; empty for the system's. */
  readonly dns: readonly string[];
  /** Zones with a server of their own; the longer of two matching ones counts. Lower-case, without the last dot. */
  readonly stubs: ReadonlyArray<{ readonly zone: string; readonly server: string }>;
};

/** Where to look up a name. */
export type Scope = {
  /** In order: the next one if one refuses, or is silent. */
  readonly servers: readonly DnsServer[];
  /** Limits the concurrent lookups at these servers; other scopes have their own. */
  readonly places: Bucket;
  /** The operator named the server: see `Resolved` in the engine's ports. */
  readonly declared: boolean;
  readonly stub: boolean;
};

/**
 * @returns a function that finds the scope of a name: its longest stub zone, else the configured resolvers, else the
 * system's.
 */
export function createScopes(options: ResolveOptions, onError?: TellError): (name: string) => Scope {
  const scope = (servers: readonly string[], declared: boolean, stub: boolean): Scope => ({
    servers: servers.slice(0, SERVERS_MAX).map((text) => new DnsServer(serverAddress(text), onError)),
    places: new Bucket(clock, { connections: LOOK_UPS_MAX }),
    declared,
    stub,
  });
  const rest = options.dns.length === 0 ? scope(getServers(), false, false) : scope(options.dns, true, false);
  const stubs = options.stubs
    .map(({ zone, server }) => ({ zone, scope: scope([server], true, true) }))
    .toSorted((a, b) => b.zone.length - a.zone.length);
  return (name) => stubs.find(({ zone }) => name === zone || name.endsWith(`.${zone}`))?.scope ?? rest;
}

/** Whether a name may be looked up at all. @param name in lower case */
export function asksDns(name: string, { stub }: Scope): boolean {
  if (name.length > NAME_OCTETS_MAX || !HOST_NAME.test(name) || isIPv4(name)) return false;
  return stub || !LOCALHOST.test(name);
}

/** `IP`, `IP:PORT` or `[IP]:PORT`, as `parseServer` and `dns.getServers()` spell them. Throws for anything else. */
function serverAddress(text: string): ServerAddress {
  const bracketed = /^\[(.*)\](?::(\d+))?$/.exec(text);
  const [, ip = '', port = String(DNS_PORT)] = bracketed ?? /^([^:]*):(\d+)$/.exec(text) ?? [text, text];
  switch (isIP(ip)) {
    case 4:
    case 6:
      return { ip, port: Number(port) };
    default:
      throw new TypeError(`"${text}" is not a DNS server: expected IP or IP:PORT, IPv6 in brackets`);
  }
}
