import type { Ports, Resolve } from '../engine/ports/ports.ts';
import { DEFAULTS } from '../engine/ports/settings.ts';
import { SMTP_PORT } from '../engine/targets/targets.ts';
import { hearGreeting } from '../engine/wire/greeting.ts';

// Whether this host can work at all: its resolver tells names that exist from names that do not, and a mail server
// that is known to be there greets it.

export type Canaries = {
  /** A name that exists; null: not asked for. */
  readonly name: string | null;
  /** A name that does not. */
  readonly missing: string | null;
  /** A mail server that greets on port 25. */
  readonly host: string | null;
};

export type Failure = 'name' | 'missing' | 'host';
export type Check = { readonly failures: readonly Failure[]; readonly families: readonly ('ipv4' | 'ipv6')[] };

type CanaryPorts = Pick<Ports, 'dial' | 'clock'> & { readonly resolve: Resolve };

/** Any canary counts: a host without one cannot be checked, and one alone is worth asking. */
export function hasCanaries({ name, missing, host }: Canaries): boolean {
  return name !== null || missing !== null || host !== null;
}

/**
 * Asks every canary once, at the same time.
 * @param signal ends the check; what was not answered by then has failed
 * @param mayDial whether an address that the canary's name led to may be dialled
 */
export async function askCanaries(
  ports: CanaryPorts,
  canaries: Canaries,
  mayDial: (ip: string) => boolean,
  signal: AbortSignal,
): Promise<Check> {
  const { resolve } = ports;
  const name = async (): Promise<boolean> => {
    if (canaries.name === null) return true;
    const answer = await resolve.mx(canaries.name, signal);
    return answer.kind === 'found' || answer.kind === 'none';
  };
  const missing = async (): Promise<boolean> =>
    canaries.missing === null || (await resolve.mx(canaries.missing, signal)).kind === 'nxdomain';
  const [nameOk, missingOk, families] = await Promise.all([
    name(),
    missing(),
    greets(ports, canaries, mayDial, signal),
  ]);
  const failures: Failure[] = [];
  if (!nameOk) failures.push('name');
  if (!missingOk) failures.push('missing');
  if (canaries.host !== null && families.length === 0) failures.push('host');
  return { failures, families };
}

/** The address families in which the canary host greets with 220. */
async function greets(
  ports: CanaryPorts,
  { host }: Canaries,
  mayDial: (ip: string) => boolean,
  signal: AbortSignal,
): Promise<('ipv4' | 'ipv6')[]> {
  if (host === null) return [];
  const { addresses } = await ports.resolve.addresses(host, signal);
  const dialled = await Promise.all(
    (['ipv4', 'ipv6'] as const).map(async (family) => {
      const ip = addresses.find((a) => a.ip.includes(':') === (family === 'ipv6') && mayDial(a.ip))?.ip;
      return ip !== undefined && (await greetsAt(ports, ip, signal)) ? [family] : [];
    }),
  );
  return dialled.flat();
}

async function greetsAt({ dial, clock }: CanaryPorts, ip: string, signal: AbortSignal): Promise<boolean> {
  const target = { ip, port: SMTP_PORT, from: null };
  const greeting = await hearGreeting({ dial, clock, target, limits: DEFAULTS.timeouts, signal });
  if (greeting.kind !== 'reply') return false;
  greeting.wire.quit();
  return greeting.reply.code === 220;
}
