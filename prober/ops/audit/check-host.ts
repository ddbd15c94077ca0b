import { randomBytes } from 'node:crypto';
import type { Config } from '../../base/config.ts';
import { Gate } from '../../engine/targets/targets.ts';
import { hasCanaries } from '../health/canaries.ts';
import { connect } from '../../link/connect.ts';
import { identify } from '../../link/identity.ts';
import { createNodePorts } from '../../node/ports.ts';
import { auditHost } from './audit-host.ts';
import type { AuditTarget } from './audit-target.ts';
import { checkBlockLists } from './block-lists.ts';
import { askDate, checkEdge } from './edge.ts';
import { describeFindings, type Finding, findingsJson, isClean, mend } from './findings.ts';
import { checkResolver } from './resolver.ts';
import { sourceAddress } from './source-address.ts';

const WITHIN_MS = 60_000;

/**
 * `--check`: checks that this host can serve with its settings and that receivers will accept it: one line per check, with the remedy.
 * @returns what to print, and the exit code: 0 all passed, 1 something to fix or unknown
 */
export async function checkHost(
  config: Config,
  json: boolean,
): Promise<{ readonly text: string; readonly code: 0 | 1 }> {
  const { enrolment, settings, canaries, undeclared, dns, stubs } = config;
  const { dial, resolveFor, clock } = createNodePorts({ dns, stubs });
  const names = resolveFor('host');
  const world = { names, dial, clock, sourceAddress, gate: new Gate(settings.routes) };
  const signal = AbortSignal.timeout(WITHIN_MS);
  // Canaries are servers that greet everybody: just what port 25 is tried with.
  const targets = hasCanaries(canaries) ? canaries.host.map((host): AuditTarget => ({ host, port: null })) : [];
  const plan = { egress: settings.egress, mailFrom: settings.mailFrom, targets };
  const identity = identify(enrolment, randomBytes(16).toString('base64url'), Date.now());
  const [link, resolver, audit] = await Promise.all([
    checkEdge(identity, connect, Date.now, askDate),
    checkResolver(names, signal),
    auditHost(world, plan, signal),
  ]);
  const seen = audit.filter(({ check, state }) => check === 'ptr' && state !== 'unknown').map(({ subject }) => subject);
  const lists = await Promise.all([...new Set(seen)].map((ip) => checkBlockLists(names, ip, signal)));
  const findings = [...undeclared.map(describeUndeclared), ...link, resolver, ...audit, ...lists.flat()];
  return { text: json ? findingsJson(findings) : describeFindings(findings), code: isClean(findings) ? 0 : 1 };
}

function describeUndeclared(variable: Config['undeclared'][number]): Finding {
  return variable === 'EGRESS'
    ? mend('settings', 'EGRESS', 'is not set; set EGRESS=IP=HELO, each address with its PTR name')
    : mend('settings', 'MAIL_FROM', 'is not set; set it to an address in a domain of yours with MX and SPF');
}
