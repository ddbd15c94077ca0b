/** What receivers check. `mend`: `detail` says how to fix it. `unknown`: `detail` says what would help to find out. */
export type Finding = {
  readonly check:
    | 'settings'
    | 'link'
    | 'clock'
    | 'resolver'
    | 'route'
    | 'port_25'
    | 'address'
    | 'ptr'
    | 'forward'
    | 'mx'
    | 'mailbox'
    | 'spf'
    | 'listed';
  /** The address, name or domain that was checked. */
  readonly subject: string;
  readonly state: 'ok' | 'mend' | 'unknown';
  readonly detail: string;
};

const findingOf =
  (state: Finding['state']) =>
  (check: Finding['check'], subject: string, detail: string): Finding => ({ check, subject, state, detail });
export const ok = findingOf('ok');
export const mend = findingOf('mend');
export const unknown = findingOf('unknown');

export const NO_ANSWER = 'the resolver did not answer; try again, or name another: DNS=IP:PORT';

const WORDS_CHARS_MAX = 200;

/** A stranger's words, cut short, without terminal control characters. */
export function printable(words: string): string {
  return words.slice(0, WORDS_CHARS_MAX).replaceAll(/[^\x20-\x7e]/g, '?');
}

/** Everything is `ok`: there is nothing to do, and nothing unknown. */
export function isClean(findings: readonly Finding[]): boolean {
  return findings.every(({ state }) => state === 'ok');
}

/** One line per finding, and a summary. */
export function describeFindings(findings: readonly Finding[]): string {
  const lines = findings.map(({ state, check, subject, detail }) => {
    return `${state.padEnd(8)}${check.padEnd(10)}${subject}: ${detail}`;
  });
  const count = (state: Finding['state']): number => findings.filter((finding) => finding.state === state).length;
  const sum = `${count('ok')} ok, ${count('mend')} to fix, ${count('unknown')} unknown`;
  return [...lines, '', sum, ''].join('\n');
}

export function findingsJson(findings: readonly Finding[]): string {
  return `${JSON.stringify({ ok: isClean(findings), findings })}\n`;
}
