import { startDnsServer } from './dns-server.ts';
import { DOMAINS, type Host, type Server, ZONES } from './domains.ts';
import { type Listening, listenOnFreePort } from './listening.ts';
import { mailServer } from './mail-server.ts';

// A mail world of its own on loopback. Each server has its own addresses, by which hosts know it, and listens at a free port of
// 127.0.0.1, where a route leads: a Mac has no other loopback address, and several sandboxes can run side by side.

/** Each server has a /24 of it. */
const NET = '127.53';
/**
 * Each look-up gives another address of the mail server, because each address has the limits of any mail server:
 * a hundred connections a minute, less than a caller may want to try here.
 */
const ADDRESSES = 40;
/** Where nobody ever listens. */
const CLOSED = `${NET}.0.1`;
const CLOSED_PORT = 1;
/** What hosts ask to see that they can work. */
export const CANARIES = {
  name: 'deliverable.test,catchall.test',
  missing: 'no-such-domain.test',
  host: 'mx.deliverable.test,mx.catchall.test',
  mailbox: 'postmaster@deliverable.test',
};

export type Sandbox = {
  /** What probe hosts need to see this world: `--stub` and `--route` values. */
  readonly stubs: readonly string[];
  readonly routes: readonly string[];
  /** By what of this world a host can check itself. */
  readonly canaries: Readonly<Record<'name' | 'missing' | 'host' | 'mailbox', string>> | null;
  readonly close: () => Promise<void>;
};

/** Starts the DNS server and every mail server of the .test world, in a fifth of a second. */
export async function startSandbox(): Promise<Sandbox> {
  const servers = serverAddresses();
  const mail: Listening[] = [];
  const routes = [`${NET}.0.0/24=127.0.0.1:${CLOSED_PORT}`];
  for (const [name, { range, plan }] of servers) {
    const listening = await listenOnFreePort(mailServer(plan, name));
    mail.push(listening);
    routes.push(`${range}=127.0.0.1:${listening.port}`);
  }
  const dns = await startDnsServer((name, plan) => addressOf(name, plan, servers));
  return {
    stubs: ZONES.map((zone) => `${zone}=${dns.address}`),
    routes,
    canaries: CANARIES,
    close: async () => {
      await Promise.all([dns, ...mail].map(({ close }) => close()));
    },
  };
}

type Placed = {
  /** CIDR of its addresses. */
  readonly range: string;
  /** The address for one look-up. */
  readonly next: () => string;
  readonly plan: Server;
};
type Servers = ReadonlyMap<string, Placed>;

function serverAddresses(): Servers {
  const servers = new Map<string, Placed>();
  for (const domain of DOMAINS.values()) {
    for (const [name, plan] of Object.entries(domain.hosts ?? {})) {
      if (typeof plan === 'string' || plan.kind === 'address' || plan.kind === 'closed') continue;
      const net = `${NET}.${servers.size + 1}`;
      const count = domain.moves === true || plan.kind === 'mail' ? ADDRESSES : 1;
      let lookedUp = 0;
      servers.set(name, { range: `${net}.0/24`, next: () => `${net}.${(lookedUp++ % count) + 1}`, plan });
    }
  }
  return servers;
}

function addressOf(name: string, plan: Host, servers: Servers): string | null {
  if (typeof plan === 'string') return null;
  if (plan.kind === 'address') return plan.ip;
  return plan.kind === 'closed' ? CLOSED : (servers.get(name)?.next() ?? null);
}
