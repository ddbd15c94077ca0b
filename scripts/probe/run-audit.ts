import { Gate } from '../../prober/engine/targets/targets.ts';
import { createNodePorts } from '../../prober/node/ports.ts';
import type { AuditOptions } from './arguments.ts';
import { auditHost } from '../../prober/ops/audit/audit-host.ts';
import { describeFindings, findingsJson, isClean } from '../../prober/ops/audit/findings.ts';
import { sourceAddress } from '../../prober/ops/audit/source-address.ts';

/**
 * `probe --audit`: checks this host as receiving servers will, and prints what it finds.
 * @returns the exit code: 0 all is well, 1 something must be fixed or could not be determined
 */
export async function runAudit(options: AuditOptions): Promise<number> {
  const { dial, resolveFor, clock } = createNodePorts(options);
  const names = resolveFor('host');
  const gate = new Gate(options.routes);
  const signal = AbortSignal.timeout(options.deadlineMs);
  const findings = await auditHost({ names, dial, clock, sourceAddress, gate }, options, signal);
  process.stdout.write(options.json ? findingsJson(findings) : describeFindings(findings));
  return isClean(findings) ? 0 : 1;
}
