import { promises } from 'node:dns';

/** With two tries a silent server costs 4 s, two of them 8 s. */
const TRY_MS = 2_000;
const TRIES = 2;
/** More servers than these are not asked about one name. */
const SERVERS_MAX = 3;

type Resolver = promises.Resolver;

export type ResolveOptions = {
  /** Resolvers, `IP` or `IP:PORT`, IPv6 in brackets; empty for the system's. */
  readonly dns: readonly string[];
  /** Zones with a server of their own; of two that match the longer counts. Lower-case, without the last dot. */
  readonly stubs: ReadonlyArray<{ readonly zone: string; readonly server: string }>;
};

/** Whom to ask about a name. */
export type Scope = {
  /** In order: the next if one refuses to say. Each goes on by itself to the servers behind it when one is silent. */
  readonly resolvers: readonly Resolver[];
  /** The operator named the server: see `Resolved` in the engine's ports. */
  readonly declared: boolean;
  readonly stub: boolean;
};

/** @returns what finds the scope of a name: its longest stub zone, else the named resolvers, else the system's. */
export function createScopes(options: ResolveOptions): (name: string) => Scope {
  const rest: Scope =
    options.dns.length === 0
      ? { resolvers: systemResolvers(), declared: false, stub: false }
      : { resolvers: resolversOf(options.dns), declared: true, stub: false };
  const stubs = options.stubs
    .map(({ zone, server }) => ({ zone, scope: { resolvers: resolversOf([server]), declared: true, stub: true } }))
    .toSorted((a, b) => b.zone.length - a.zone.length);
  return (name) => stubs.find(({ zone }) => name === zone || name.endsWith(`.${zone}`))?.scope ?? rest;
}

function resolversOf(servers: readonly string[]): Resolver[] {
  return servers.slice(0, SERVERS_MAX).map((_, first) => {
    const resolver = newResolver();
    resolver.setServers(servers.slice(first));
    return resolver;
  });
}

/** The system's own set-up first, as c-ares reads it; then its servers from the second on. */
function systemResolvers(): Resolver[] {
  const system = newResolver();
  // An address with a zone (fe80::1%eth0) is one that setServers does not take back.
  const servers = system.getServers().filter((server) => !server.includes('%'));
  return [system, ...resolversOf(servers.slice(1))].slice(0, SERVERS_MAX);
}

function newResolver(): Resolver {
  return new promises.Resolver({ timeout: TRY_MS, tries: TRIES, maxTimeout: TRY_MS });
}
