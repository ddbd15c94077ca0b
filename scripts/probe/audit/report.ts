import type { Finding } from './finding.ts';

/** Everything `ok`: nothing is to be done, and everything is known. */
export function isClean(findings: readonly Finding[]): boolean {
  return findings.every(({ state }) => state === 'ok');
}

/** One line a finding, and the sum of them. */
export function describeFindings(findings: readonly Finding[]): string {
  const lines = findings.map(({ state, check, subject, detail }) => {
    return `${state.padEnd(8)}${check.padEnd(10)}${subject}: ${detail}`;
  });
  const count = (state: Finding['state']): number => findings.filter((finding) => finding.state === state).length;
  const sum = `${count('ok')} ok, ${count('mend')} to mend, ${count('unknown')} not known`;
  return [...lines, '', sum, ''].join('\n');
}

/** The same for programs. */
export function findingsJson(findings: readonly Finding[]): string {
  return `${JSON.stringify({ ok: isClean(findings), findings })}\n`;
}
