import { startDeafServer } from './deaf-server.ts';
import { startDnsServer } from './dns-server.ts';
import { DOMAINS, type Host, type Server, ZONES } from './domains.ts';
import { startHostileServer } from './hostile-server.ts';
import type { Listening } from './listening.ts';
import { startMailServer } from './mail-server.ts';

// A mail world of its own on loopback. A route gives a range of addresses one port, so every server has its own
// address and all share one port, which is chosen at start: several sandboxes can run side by side.

const NET = '127.0.53';
/** Of the three servers that move from address to address. */
const MOVING_NET = '127.0.54';
const MOVES = 80;
/** Where nobody ever listens. */
const CLOSED = `${NET}.254`;
const TRIES = 20;
/** What hosts ask to see that they can work. */
export const CANARIES = {
  name: 'deliverable.test,catchall.test',
  missing: 'no-such-domain.test',
  host: 'mx.deliverable.test,mx.catchall.test',
};

export type Sandbox = {
  /** What probe hosts need to see this world: `--stub` and `--route` values. */
  readonly stubs: readonly string[];
  readonly routes: readonly string[];
  /** By what of this world a host can check itself. */
  readonly canaries: Readonly<Record<'name' | 'missing' | 'host', string>> | null;
  readonly close: () => Promise<void>;
};

/** Starts the DNS server and every mail server of the .test world, in about 0.1 s. */
export async function startSandbox(): Promise<Sandbox> {
  const servers = serverAddresses();
  const mail = await startServers(servers);
  const dns = await startDnsServer((name, plan) => addressOf(name, plan, servers));
  return {
    stubs: ZONES.map((zone) => `${zone}=127.0.0.1:${dns.port}`),
    routes: [NET, MOVING_NET].map((net) => `${net}.0/24=${mail.port}`),
    canaries: CANARIES,
    close: async () => {
      await Promise.all([dns.close(), mail.close()]);
    },
  };
}

/** `next` gives the address for one look-up. */
type Servers = ReadonlyMap<
  string,
  { readonly ips: readonly string[]; readonly next: () => string; readonly plan: Server }
>;

function serverAddresses(): Servers {
  const servers = new Map<string, { ips: readonly string[]; next: () => string; plan: Server }>();
  let moving = 0;
  for (const domain of DOMAINS.values()) {
    for (const [name, plan] of Object.entries(domain.hosts ?? {})) {
      if (typeof plan === 'string' || plan.kind === 'address' || plan.kind === 'closed') continue;
      const own = `${NET}.${servers.size + 1}`;
      const ips = domain.moves === true ? Array.from({ length: MOVES }, () => `${MOVING_NET}.${(moving += 1)}`) : [own];
      let lookedUp = 0;
      servers.set(name, { ips, next: () => ips[lookedUp++ % ips.length] ?? own, plan });
    }
  }
  return servers;
}

function addressOf(name: string, plan: Host, servers: Servers): string | null {
  if (typeof plan === 'string') return null;
  switch (plan.kind) {
    case 'address':
      return plan.ip;
    case 'closed':
      return CLOSED;
    case 'mail':
    case 'hostile':
    case 'deaf':
      return servers.get(name)?.next() ?? null;
  }
}

/** All on one port: a free one of the first address, tried again if another of the addresses has it taken. */
async function startServers(servers: Servers): Promise<Listening> {
  for (let attempt = 1; ; attempt += 1) {
    const listening: Listening[] = [];
    const close = async (): Promise<void> => {
      await Promise.all(listening.map((one) => one.close()));
    };
    try {
      let port = 0;
      for (const [name, { ips, plan }] of servers) {
        for (const ip of ips) {
          const one = await startServer(plan, name, ip, port);
          listening.push(one);
          port = one.port;
        }
      }
      return { port, close };
    } catch (error) {
      await close();
      if (attempt === TRIES || !isPortTaken(error)) throw error;
    }
  }
}

function startServer(plan: Server, name: string, ip: string, port: number): Promise<Listening> {
  switch (plan.kind) {
    case 'mail':
      return startMailServer(plan, name, ip, port);
    case 'hostile':
      return startHostileServer(plan, ip, port);
    case 'deaf':
      return startDeafServer(ip, port);
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
