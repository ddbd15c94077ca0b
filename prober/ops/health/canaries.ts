import type { Canary } from '../../../schema/link.ts';
import type { Canaries } from '../../base/canaries.ts';
import { madeUpLocal } from '../../engine/attempt/random-recipient.ts';
import { whoIsDenied, whoIsRefused } from './mailboxes.ts';
import { half, type Ways, whoIsGreeted } from './ways-out.ts';

// Whether this host can work at all: its resolver distinguishes names that exist from names that do not, and known mail
// servers greet each of its addresses, refuse mailboxes that do not exist, and do not refuse one that must exist. At least
// half of each list must pass: one dead canary stops no host, and a network that answers for one name does not pass for
// the Internet.

/** What must be proven for evidence that a broken host would give too: the resolver alone, or the way out as well. */
export type Proof = 'names' | 'reach';
/** What is checked: everything each minute. */
export type Scope = Proof | 'all';
export type Check = {
  readonly failures: readonly Canary[];
  /** The positions of the egress addresses from which a check failed. */
  readonly egress: readonly number[];
  /** Of those from which the mailboxes that must exist said nothing about this host, neither good nor bad. */
  readonly unclear: readonly number[];
};
export type Asking = Ways & { readonly canaries: Canaries };

/** Any canary counts: a host without one cannot be checked. */
export function hasCanaries(canaries: Canaries): boolean {
  return Object.values(canaries).some(({ length }) => length > 0);
}

/** Whether they prove everything a host needs, its resolver and its port 25. */
export function areComplete({ name, missing, host }: Canaries): boolean {
  return name.length > 0 && missing.length > 0 && host.length > 0;
}

/** Asks every canary of the scope once, in parallel, until each list is decided. What has no answer then has failed. */
export async function askCanaries(asking: Asking, scope: Scope, signal: AbortSignal): Promise<Check> {
  const { ports, canaries } = asking;
  const { resolve } = ports;
  const exists = async (name: string, ends: AbortSignal): Promise<boolean> => {
    const answer = await resolve.mx(name, ends);
    return answer.kind === 'found' || answer.kind === 'none';
  };
  const isMissing = async (name: string, ends: AbortSignal): Promise<boolean> =>
    (await resolve.mx(name.startsWith('.') ? `${madeUpLocal(ports.random)}${name}` : name, ends)).kind === 'nxdomain';
  const [name, missing, host, refusing, { denied, unclear }] = await Promise.all([
    half(canaries.name, exists, signal),
    half(canaries.missing, isMissing, signal),
    whoIsGreeted(asking, scope === 'names' ? [] : canaries.host, signal),
    // Servers count unknown recipients by client: once a minute is little, on every doubt would be much.
    whoIsRefused(asking, scope === 'all' ? canaries.refusing : [], signal),
    whoIsDenied(asking, scope === 'all' ? canaries.mailbox : [], signal),
  ]);
  const failures: Canary[] = [];
  if (!name) failures.push('name');
  if (!missing) failures.push('missing');
  if (host.length > 0) failures.push('host');
  if (refusing.length + denied.length > 0) failures.push('mailbox');
  return {
    failures,
    egress: [...new Set([...host, ...refusing, ...denied])].toSorted((a, b) => a - b),
    unclear,
  };
}
