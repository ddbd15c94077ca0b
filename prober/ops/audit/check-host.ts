import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { readSettings, type Settings } from '../../base/config.ts';
import { ConfigError } from '../../base/config-error.ts';
import { readEnrolment } from '../../base/enrolment.ts';
import { Gate } from '../../engine/targets/targets.ts';
import { connect } from '../../link/connect.ts';
import { identify } from '../../link/identity.ts';
import { createNodePorts } from '../../node/ports.ts';
import { auditHost } from './audit-host.ts';
import { checkEdge } from './edge.ts';
import { describeFindings, type Finding, findingsJson, isClean, mend } from './findings.ts';
import { checkResolver } from './resolver.ts';

const WITHIN_MS = 60_000;

type Variables = Readonly<Record<string, string | undefined>>;

/** `--check`, also of a host that has not joined yet. @returns what to print, and the exit code. @throws ConfigError */
export async function checkHost(
  env: Variables,
  json: boolean,
): Promise<{ readonly text: string; readonly code: 0 | 1 }> {
  const { enrolmentFile, settings, canaries, undeclared, dns, stubs } = readSettings(env);
  const ports = createNodePorts({ dns, stubs });
  const resolve = ports.resolveFor('host');
  const spfResolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (dns.length > 0) spfResolver.setServers(dns);
  const { egress, mailFrom, routes } = settings;
  // Canaries are servers that greet everyone: just right to try port 25 with.
  const asked = { hosts: canaries.host, mailboxes: canaries.mailbox };
  const ways = { ports: { ...ports, resolve }, gate: new Gate(routes), egress, mailFrom };
  const signal = AbortSignal.timeout(WITHIN_MS);
  const [link, resolver, audit] = await Promise.all([
    checkLink(enrolmentFile, env),
    checkResolver(resolve, signal),
    auditHost({ ...ways, ...asked, spfResolver }, signal),
  ]);
  const findings = [...undeclared.map(describeUndeclared), ...link, resolver, ...audit];
  return { text: json ? findingsJson(findings) : describeFindings(findings), code: isClean(findings) ? 0 : 1 };
}

async function checkLink(enrolmentFile: string, env: Variables): Promise<readonly Finding[]> {
  try {
    const identity = identify(readEnrolment(enrolmentFile, env), randomBytes(16).toString('base64url'), Date.now());
    return await checkEdge(identity, connect, Date.now);
  } catch (error) {
    if (error instanceof ConfigError) return [mend('link', enrolmentFile, error.message)];
    throw error;
  }
}

function describeUndeclared(variable: Settings['undeclared'][number]): Finding {
  return variable === 'EGRESS'
    ? mend('settings', 'EGRESS', 'is not set; set EGRESS=IP=HELO, each address with its PTR name')
    : mend('settings', 'MAIL_FROM', 'is not set; set it to an address in a domain of yours with MX and SPF');
}
