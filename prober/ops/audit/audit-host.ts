import type { Resolver } from 'node:dns/promises';
import type { Names } from '../../node/resolve.ts';
import { familiesOf, targetsOf, type Ways } from '../health/ways-out.ts';
import { checkBlockLists } from './block-lists.ts';
import type { Finding } from './findings.ts';
import { checkMailbox } from './mailbox.ts';
import { checkMx, checkSender, domainOf } from './mail-from.ts';
import { checkReverseName } from './reverse-name.ts';
import { checkWayOut } from './way-out.ts';

export type Audit = Ways & {
  readonly ports: { readonly resolve: Names };
  readonly spfResolver: Resolver;
  /** Mail servers to try port 25 with. */
  readonly hosts: readonly string[];
  readonly mailboxes: readonly string[];
};

/** Checks this host as receivers see it: the route of every egress address, its names, and the envelope sender. */
export async function auditHost(audit: Audit, signal: AbortSignal): Promise<Finding[]> {
  const { egress, hosts, mailboxes, mailFrom, ports, spfResolver } = audit;
  const { resolve } = ports;
  const findings: Finding[] = [await checkMx(resolve, domainOf(mailFrom), signal)];
  for (const from of egress) {
    const way = { ...audit, from, families: familiesOf(from) };
    const targets = await Promise.all(hosts.map((host) => targetsOf(way, host, signal)));
    for (const family of way.families) {
      const { findings: found, publicIp } = await checkWayOut(way, family, targets.flat(), signal);
      findings.push(...found);
      if (publicIp === null) continue;
      const [reverse, spf, lists] = await Promise.all([
        checkReverseName(resolve, publicIp, from.heloName, signal),
        checkSender(spfResolver, mailFrom, { ip: publicIp, heloName: from.heloName }),
        checkBlockLists(resolve, publicIp, signal),
      ]);
      findings.push(...reverse, spf, ...lists);
    }
    for (const mailbox of mailboxes) findings.push(await checkMailbox(way, mailbox, signal));
  }
  return findings;
}
