import type { Canary } from '../../../schema/link.ts';
import type { Canaries } from '../../base/canaries.ts';
import type { Ports, Resolve } from '../../engine/ports/ports.ts';
import { DEFAULTS } from '../../engine/ports/settings.ts';
import { findTargets, type Gate, type Target } from '../../engine/targets/targets.ts';
import { hearGreeting } from '../../engine/wire/greeting.ts';

// Whether this host can work at all: its resolver tells names that exist from names that do not, and mail servers that
// are known to be there greet it. Of each list at least half must do: one dead canary stops no host, and a network that
// answers for one name does not pass for the Internet.

type CanaryPorts = Pick<Ports, 'dial' | 'clock' | 'random'> & { readonly resolve: Resolve };
type Family = 'ipv4' | 'ipv6';
/** What evidence that a broken host would give too needs proof of: the resolver alone, or the way out as well. */
export type Proof = 'names' | 'reach';
/** What is asked: each minute all of it. */
export type Scope = Proof | 'all';

export type Check = { readonly failures: readonly Canary[]; readonly families: readonly Family[] };

export type Asking = {
  readonly ports: CanaryPorts;
  readonly canaries: Canaries;
  /** What of the addresses of a canary may be dialled. */
  readonly gate: Gate;
};

const MADE_UP_CHARS = 20;

/** Any canary counts: a host without one cannot be checked. */
export function hasCanaries({ name, missing, host }: Canaries): boolean {
  return name.length + missing.length + host.length > 0;
}

/** Whether they prove what a host needs, its resolver and its port 25. */
export function areComplete({ name, missing, host }: Canaries): boolean {
  return name.length > 0 && missing.length > 0 && host.length > 0;
}

/**
 * Asks every canary of the scope once, at the same time, until each list is decided.
 * @param signal ends the check; what was not answered by then has failed
 */
export async function askCanaries(
  { ports, canaries, gate }: Asking,
  scope: Scope,
  signal: AbortSignal,
): Promise<Check> {
  const { resolve } = ports;
  const families = new Set<Family>();
  const exists = async (name: string, ends: AbortSignal): Promise<boolean> => {
    const answer = await resolve.mx(name, ends);
    return answer.kind === 'found' || answer.kind === 'none';
  };
  const isMissing = async (name: string, ends: AbortSignal): Promise<boolean> =>
    (await resolve.mx(name.startsWith('.') ? `${madeUp(ports)}${name}` : name, ends)).kind === 'nxdomain';
  const greets = async (name: string, ends: AbortSignal): Promise<boolean> => {
    const greeted = await familiesThatGreet(ports, name, gate, ends);
    for (const family of greeted) families.add(family);
    return greeted.length > 0;
  };
  const [name, missing, host] = await Promise.all([
    half(canaries.name, exists, signal),
    half(canaries.missing, isMissing, signal),
    half(scope === 'names' ? [] : canaries.host, greets, signal),
  ]);
  const failures: Canary[] = [];
  if (!name) failures.push('name');
  if (!missing) failures.push('missing');
  if (!host) failures.push('host');
  return { failures, families: [...families] };
}

/** Whether at least half of the items pass. As soon as that is known the others are no longer waited for. */
async function half(
  items: readonly string[],
  passes: (item: string, ends: AbortSignal) => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  const needed = Math.ceil(items.length / 2);
  if (needed === 0) return true;
  const decided = new AbortController();
  const ends = AbortSignal.any([signal, decided.signal]);
  let passed = 0;
  let failed = 0;
  return new Promise((resolve) => {
    const count = (passing: boolean): void => {
      if (passing) passed += 1;
      else failed += 1;
      if (passed < needed && failed <= items.length - needed) return;
      resolve(passed >= needed);
      decided.abort();
    };
    for (const item of items)
      passes(item, ends).then(count, () => {
        count(false);
      });
  });
}

/** A label that nobody has. */
function madeUp({ random }: Pick<Ports, 'random'>): string {
  return Array.from({ length: MADE_UP_CHARS }, () => 'abcdefghijklmnopqrstuvwxyz'.charAt(random() * 26)).join('');
}

async function familiesThatGreet(ports: CanaryPorts, host: string, gate: Gate, signal: AbortSignal): Promise<Family[]> {
  const { targets } = await findTargets(host, ports.resolve, gate, ports.random, signal);
  const dialled = await Promise.all(
    ([4, 6] as const).map(async (family) => {
      const target = targets.find((t) => t.family === family);
      return target !== undefined && (await greetsAt(ports, target, signal)) ? [`ipv${family}` as const] : [];
    }),
  );
  return dialled.flat();
}

async function greetsAt({ dial, clock }: CanaryPorts, { ip, port }: Target, signal: AbortSignal): Promise<boolean> {
  const target = { ip, port, from: null };
  const greeting = await hearGreeting({ dial, clock, target, limits: DEFAULTS.timeouts, signal });
  if (greeting.kind !== 'reply') return false;
  greeting.wire.quit();
  return greeting.reply.code === 220;
}
