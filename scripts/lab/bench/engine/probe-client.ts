import { fileURLToPath } from 'node:url';
import type { Load } from './load.ts';
import { runWith } from './processes.ts';
import { type DomainKind, kindOf } from './shared-domains.ts';

// `npm run probe` as a client of the engine's benches: an account of its own, every domain a batch of its own.

const PROBE = fileURLToPath(new URL('../../../probe.ts', import.meta.url));

/** What it says of the mailboxes of such a domain, if it is right. */
const RIGHT: Readonly<Record<DomainKind, string>> = {
  tells: 'deliverable null',
  refuses_us: 'unknown policy_rejected',
  defers: 'unknown greylisting',
};

/** `npm run probe` makes a bundle of itself when it has none of its sources as they are: not while it is measured. */
export async function prepareProbe(): Promise<void> {
  await runWith(null, [process.execPath, PROBE, '--help'], '');
}

/**
 * Verifies the addresses of a load over its standard input.
 * @param kind of all domains; absent: as `kindOf` says
 * @returns how long its process lasted, and how many results were right
 */
export async function runProbe(
  namespace: string | null,
  load: Load,
  kind?: DomainKind,
): Promise<{ readonly wallMs: number; readonly right: number }> {
  const { ip, dnsPort, mailNet, smtpPort, domains, addressesPerDomain, addressesMax } = load;
  const addresses = Array.from({ length: domains * addressesPerDomain }, (_, i) => {
    return `u${Math.floor(i / domains)}@d${i % domains}.test\n`;
  }).slice(0, addressesMax ?? Infinity);
  const beganMs = performance.now();
  const words = [process.execPath, PROBE, '--dns', `${ip}:${dnsPort}`, '--route', `${mailNet}=${smtpPort}`];
  const lines = await runWith(namespace, words, addresses.join(''));
  const wallMs = performance.now() - beganMs;
  const right = lines.filter((line) => {
    const { email, result, reason }: { email: string; result: string; reason: string | null } = JSON.parse(line);
    const domain = email.slice(email.indexOf('@'));
    return `${result} ${reason}` === RIGHT[kind ?? kindOf(domain)];
  });
  return { wallMs, right: right.length };
}
