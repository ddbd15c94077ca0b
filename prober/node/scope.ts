import { getServers } from 'node:dns';
import { isIPv4 } from 'node:net';
import type { TellError } from '../base/exhaustion.ts';
import { DnsServer } from './dns-server.ts';

/** No more servers than this are asked about one name. */
const SERVERS_MAX = 3;
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

export type Scope = {
  /** In order: the next one if one refuses, or is silent. */
  readonly servers: readonly DnsServer[];
  /** The operator named the server: see `Resolved` in the engine's ports. */
  readonly declared: boolean;
  readonly stub: boolean;
};

/** Finds the scope of a name: its longest stub zone, else the configured resolvers, else the system's. */
export function createScopes(options: ResolveOptions, onError?: TellError): (name: string) => Scope {
  // One for each address: its limit holds for all zones together.
  const known = new Map<string, DnsServer>();
  const serverAt = (address: string): DnsServer => {
    const server = known.get(address) ?? new DnsServer(address, onError);
    known.set(address, server);
    return server;
  };
  const scope = (servers: readonly string[], declared: boolean, stub: boolean): Scope => ({
    servers: servers.slice(0, SERVERS_MAX).map(serverAt),
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
