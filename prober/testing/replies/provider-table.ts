import type { ProviderWords } from './provider-words.ts';

const HEAD = '| provider | no such | full | disabled | blocked | rate | greylisting | source | date |';

/** The rows as a Markdown table, as prober/ACCURACY.md has it. */
export function providerTable(rows: readonly ProviderWords[]): string {
  const lines = rows.map(({ provider, noSuch, full, disabled, blocked, rate, greylisting, source, date }) => {
    const said = [noSuch, full, disabled, blocked, rate, greylisting].map((words) =>
      words === null ? '-' : `\`${words}\``,
    );
    return `| ${[provider, ...said, source, date].join(' | ')} |`;
  });
  return [HEAD, '|---|---|---|---|---|---|---|---|---|', ...lines].join('\n');
}
