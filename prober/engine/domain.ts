import type { Outcome } from '../../schema/evidence.ts';
import type { DomainProbe } from './visit/domain-probe.ts';
import { isNoHost, mailHostsOf } from './targets/mx.ts';
import { atRcptOf } from './providers/provider-facts.ts';
import { type HostTargets, type Target, targetsOf } from './targets/targets.ts';
import type { Onward } from './visit/consequence.ts';
import { Visit } from './visit/visit.ts';

/** What the lookups of a domain's mail hosts added up to. */
type Survey = { dialable: boolean; onlyPrivate: boolean; certain: boolean };

/** IPv6 addresses are looked up only if IPv4 gave no verdict: most hosts cost one lookup, not two. */
const FAMILIES = [4, 6] as const;

/**
 * Probes the recipients of one domain, one session after the other: every MX host in order of preference, every address
 * of it, until each recipient has a verdict or there is no one left to ask. Reports every recipient before it returns.
 */
export async function probeDomain(probe: DomainProbe): Promise<void> {
  const { settings, ports, gate } = probe.tools;
  const { clock, random } = ports;
  const { resolve, spent } = probe.job;
  let startedAt = clock.now();
  const answer = await resolve.mx(probe.domain, probe.signal);
  spent.lookUpsMs += clock.now() - startedAt;
  if (!probe.ended) settings.observer?.lookedUp('mx', answer);
  const found = mailHostsOf(probe.domain, answer, random);
  if (found.kind === 'none') {
    const learnt = found.outcome.kind !== 'mx_lookup_failed' || !probe.ended;
    return probe.conclude(learnt ? found.outcome : null);
  }
  probe.mx = found.mx;
  const blocking = found.hosts.some((host) => atRcptOf(host, settings.providers) === 'blocks_probes');
  const hosts = found.hosts.slice(0, settings.reach.hosts);
  const survey: Survey = { dialable: false, onlyPrivate: false, certain: hosts.length === found.hosts.length };
  const dialled: Target[] = [];
  for (const host of hosts) {
    if (isNoHost(host)) continue;
    for (const family of FAMILIES) {
      if (probe.ended || !probe.isOpen) break;
      startedAt = clock.now();
      const addresses = await resolve.addresses(host, probe.signal, family);
      spent.lookUpsMs += clock.now() - startedAt;
      if (!probe.ended) settings.observer?.lookedUp('address', addresses);
      const looked = targetsOf(host, addresses, gate, random);
      survey.certain &&= looked.certain;
      survey.onlyPrivate ||= looked.onlyPrivate;
      if (looked.targets.length === 0) continue;
      survey.dialable = true;
      probe.mxFound = !found.implicit;
      if (blocking) return probe.conclude({ kind: 'provider_blocks_probe' });
      if ((await askAddresses(probe, looked, dialled)) === 'next_host') break;
    }
  }
  if (probe.ended) probe.conclude(null);
  else
    probe.conclude(
      survey.dialable ? silentImplicit(probe, found.implicit, survey) : nobodyToAsk(found.implicit, survey),
    );
}

/** An address that several hosts share is asked once. */
async function askAddresses(probe: DomainProbe, { targets }: HostTargets, dialled: Target[]): Promise<Onward> {
  const { clock } = probe.tools.ports;
  for (const target of targets) {
    if (probe.ended || dialled.length >= probe.tools.settings.reach.addresses) return 'next_host';
    if (wasDialled(dialled, target)) continue;
    dialled.push(target);
    const startedAt = clock.now();
    const way = await new Visit(probe, target).run();
    probe.job.spent.visitsMs += clock.now() - startedAt;
    if (way === 'next_host') return way;
    if (!probe.isOpen) break;
  }
  return 'next_address';
}

function wasDialled(dialled: readonly Target[], { ip, port }: Target): boolean {
  for (const one of dialled) if (one.ip === ip && one.port === port) return true;
  return false;
}

/** No MX host could be dialled. */
function nobodyToAsk(implicit: boolean, survey: Survey): Outcome {
  if (!survey.certain) return { kind: 'mx_lookup_failed' };
  if (implicit) return { kind: 'no_mail_domain', why: survey.onlyPrivate ? 'implicit_mx_silent' : 'no_records' };
  return { kind: survey.onlyPrivate ? 'mx_private' : 'mx_hosts_missing' };
}

/** Without an MX a host is a mail host only if it sends a 220. If none did, the domain takes no mail. */
function silentImplicit(probe: DomainProbe, implicit: boolean, survey: Survey): Outcome | null {
  if (!implicit || probe.greeted || !probe.tried) return null;
  return survey.certain ? { kind: 'no_mail_domain', why: 'implicit_mx_silent' } : { kind: 'mx_lookup_failed' };
}
