import type { Egress } from '../../engine/ports/settings.ts';
import { familiesOf } from '../health/ways-out.ts';
import type { Finding } from './findings.ts';
import { checkMx, checkSender, domainOf } from './mail-from.ts';
import type { Names } from '../../node/resolve.ts';
import { checkReverseName } from './reverse-name.ts';
import { addressesOf, type AuditTarget } from './audit-target.ts';
import { checkWayOut, type AuditWorld } from './way-out.ts';

/** Of the sender's MX hosts, if no target is named. */
const OWN_MX_HOSTS = 3;

export type AuditPlan = {
  readonly egress: readonly Egress[];
  readonly mailFrom: string;
  /** Empty: the MX hosts of the envelope sender's domain. */
  readonly targets: readonly AuditTarget[];
};

/**
 * Checks this host as receivers see it: the route of every egress address, its names, and the envelope sender.
 * @param signal ends it; what was not learnt by then is `unknown` or not found
 */
export async function auditHost(world: AuditWorld, plan: AuditPlan, signal: AbortSignal): Promise<Finding[]> {
  const domain = domainOf(plan.mailFrom);
  const named = plan.targets.length > 0 ? plan.targets : await ownMxHosts(world.names, domain, signal);
  const targets = await Promise.all(named.map((target) => addressesOf(target, world.names, world.gate, signal)));
  const findings: Finding[] = [await checkMx(world.names, domain, signal)];
  for (const egress of plan.egress) {
    for (const family of familiesOf(egress)) {
      const { findings: found, publicIp } = await checkWayOut(world, egress, family, targets.flat(), signal);
      findings.push(...found);
      if (publicIp !== null)
        findings.push(...(await checkAddress(world.names, egress, publicIp, plan.mailFrom, signal)));
    }
  }
  return findings;
}

async function checkAddress(
  names: Names,
  { heloName }: Egress,
  ip: string,
  mailFrom: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const client = { ip, heloName };
  const [reverse, spf] = await Promise.all([
    checkReverseName(names, ip, heloName, signal),
    checkSender(names, mailFrom, client, signal),
  ]);
  return [...reverse, spf];
}

async function ownMxHosts(names: Names, domain: string, signal: AbortSignal): Promise<AuditTarget[]> {
  const answer = await names.mx(domain, signal);
  if (answer.kind !== 'found') return [];
  return answer.records
    .filter(({ exchange }) => exchange !== '')
    .slice(0, OWN_MX_HOSTS)
    .map(({ exchange }) => ({ host: exchange, port: null }));
}
