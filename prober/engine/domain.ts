import type { Outcome } from '../../schema/evidence.ts';
import { OUTCOMES } from '../../schema/outcomes.ts';
import type { DomainProbe } from './attempt/domain-probe.ts';
import { isNoHost, mailHostsOf } from './targets/mx.ts';
import { atRcptOf } from './providers/provider-facts.ts';
import { type HostTargets, type Target, targetsOf } from './targets/targets.ts';
import type { Onward } from './attempt/next-step.ts';
import { Attempt } from './attempt/attempt.ts';

/** The addresses that were dialled, and those of them that were left before their time was up. */
type Walk = { readonly dialled: Target[]; readonly cutShort: Target[] };

/** IPv6 addresses are looked up only if IPv4 gave no verdict: most hosts cost one lookup, not two. */
const FAMILIES = [4, 6] as const;
/** For this long a server may be silent while others have not been asked; later it gets the usual time. */
const PATIENCE_MS = { max: 10_000, min: 2_000 };

/**
 * Probes the recipients of one domain, one session after the other: every MX host in order of preference, every address
 * of it, until each recipient has a verdict or there is no one left to ask. Reports every recipient before it returns.
 */
export async function probeDomain(probe: DomainProbe): Promise<void> {
  const { domain, job, signal, context } = probe;
  const { settings, ports, gate } = context;
  const answer = await job.resolve.mx(domain, signal);
  if (!probe.ended) settings.observer?.lookedUp('mx', answer);
  const found = mailHostsOf(domain, answer, ports.random);
  if (found.kind === 'none') {
    const learnt = OUTCOMES[found.outcome.kind].claim !== 'fails' || !probe.ended;
    return probe.conclude(learnt ? found.outcome : null);
  }
  probe.mx = found.mx;
  for (const host of found.hosts) if (!isNoHost(host)) probe.hosts.set(host, []);
  const isBlocking = found.hosts.some((host) => atRcptOf(host, settings.providers) === 'blocks_probes');
  const hosts = [...probe.hosts.keys()].slice(0, settings.reach.hosts);
  const walk: Walk = { dialled: [], cutShort: [] };
  let onlyPrivate = false;
  for (const [i, host] of hosts.entries()) {
    const ips: string[] = [];
    let isCertain = true;
    for (const family of FAMILIES) {
      if (probe.ended || !probe.isOpen) break;
      const addresses = await job.resolve.addresses(host, signal, family);
      if (!probe.ended) settings.observer?.lookedUp('address', addresses);
      const looked = targetsOf(host, addresses, gate, ports.random);
      isCertain &&= looked.certain;
      onlyPrivate ||= looked.onlyPrivate;
      ips.push(...looked.targets.map(({ ip }) => ip));
      probe.hosts.set(host, ips);
      if (family === 6 && isCertain && ips.length === 0) probe.hosts.delete(host);
      if (looked.targets.length === 0) continue;
      probe.mxFound = !found.implicit;
      if (isBlocking) return probe.conclude({ kind: 'provider_blocks_probe' });
      if ((await askAddresses(probe, looked, walk, hosts.length - 1 - i)) === 'next_host') break;
    }
    if (!isCertain) probe.servesMail = true;
  }
  for (const target of walk.cutShort)
    if (!probe.ended && probe.isOpen) await new Attempt(probe, { ...target }, Infinity).run();
  if (probe.ended) return probe.conclude(null);
  if (walk.dialled.length === 0)
    return probe.conclude(nobodyToAsk(found.implicit, onlyPrivate, probe.hosts.size === 0));
  const isNoMailHost = found.implicit && probe.servesMail === false;
  probe.conclude(isNoMailHost ? { kind: 'no_mail_domain', why: 'implicit_mx_silent' } : null);
}

/** An address that several hosts share is asked once. @param hostsLeft hosts that have not been asked */
async function askAddresses(
  probe: DomainProbe,
  { targets }: HostTargets,
  { dialled, cutShort }: Walk,
  hostsLeft: number,
): Promise<Onward> {
  const { ports, settings } = probe.context;
  for (const [i, target] of targets.entries()) {
    if (probe.ended || dialled.length >= settings.reach.addresses) return 'next_host';
    if (dialled.some(({ ip, port }) => ip === target.ip && port === target.port)) continue;
    dialled.push(target);
    const othersLeft = targets.length - 1 - i + hostsLeft;
    const leftMs = probe.job.deadlineMs - ports.clock.now();
    // The last one has twice the time of the others.
    const shareMs = Math.max(PATIENCE_MS.min, leftMs / (othersLeft + 2));
    const patienceMs = othersLeft === 0 ? Infinity : Math.min(PATIENCE_MS.max, shareMs);
    const way = await new Attempt(probe, target, patienceMs).run();
    if (way === 'later') cutShort.push(target);
    if (way === 'next_host') return way;
    if (!probe.isOpen) break;
  }
  return 'next_address';
}

function nobodyToAsk(implicit: boolean, onlyPrivate: boolean, certain: boolean): Outcome {
  if (!certain) return { kind: 'mx_lookup_failed' };
  if (implicit) return { kind: 'no_mail_domain', why: onlyPrivate ? 'implicit_mx_silent' : 'no_records' };
  return { kind: onlyPrivate ? 'mx_private' : 'mx_hosts_missing' };
}
