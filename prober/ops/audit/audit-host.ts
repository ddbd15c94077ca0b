import type { Egress } from '../../engine/ports/settings.ts';
import { familiesOf } from '../health/ways-out.ts';
import { checkBlockLists } from './block-lists.ts';
import type { Finding } from './findings.ts';
import { checkMailbox } from './mailbox.ts';
import { checkMx, checkSender, domainOf } from './mail-from.ts';
import { checkReverseName } from './reverse-name.ts';
import type { Target } from '../../engine/targets/targets.ts';
import { checkWayOut, type AuditWorld } from './way-out.ts';

/** Per host and family: one address is enough to see an open port. */
const FAMILIES = [4, 6] as const;

export type AuditPlan = {
  readonly egress: readonly Egress[];
  readonly mailFrom: string;
  /** Mail servers to try port 25 with. */
  readonly hosts: readonly string[];
  readonly mailboxes: readonly string[];
};

/** Checks this host as receivers see it: the route of every egress address, its names, and the envelope sender. */
export async function auditHost(world: AuditWorld, plan: AuditPlan, signal: AbortSignal): Promise<Finding[]> {
  const domain = domainOf(plan.mailFrom);
  const targets = await Promise.all(plan.hosts.map((host) => targetsOf(host, world, signal)));
  const findings: Finding[] = [await checkMx(world.names, domain, signal)];
  for (const egress of plan.egress) {
    for (const family of familiesOf(egress)) {
      const { findings: found, publicIp } = await checkWayOut(world, egress, family, targets.flat(), signal);
      findings.push(...found);
      if (publicIp !== null) findings.push(...(await checkAddress(world, egress, publicIp, plan.mailFrom, signal)));
    }
    for (const mailbox of plan.mailboxes)
      findings.push(await checkMailbox(world, egress, plan.mailFrom, mailbox, signal));
  }
  return findings;
}

async function checkAddress(
  { names, spfResolver }: AuditWorld,
  { heloName }: Egress,
  ip: string,
  mailFrom: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const client = { ip, heloName };
  const [reverse, spf, lists] = await Promise.all([
    checkReverseName(names, ip, heloName, signal),
    checkSender(spfResolver, mailFrom, client),
    checkBlockLists(names, ip, signal),
  ]);
  return [...reverse, spf, ...lists];
}

/** Where a mail server may be dialled: one address of each family that it has. */
async function targetsOf(
  host: string,
  { names, gate }: Pick<AuditWorld, 'names' | 'gate'>,
  signal: AbortSignal,
): Promise<Target[]> {
  const { addresses } = await names.addresses(host, signal);
  const admitted = addresses.flatMap((resolved) => gate.admit(host, resolved) ?? []);
  return FAMILIES.flatMap((family) => admitted.find((target) => target.family === family) ?? []);
}
