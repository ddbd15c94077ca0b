/** What `prober/ACCURACY.md` says of phrases that no rule was written for. */
export type Accuracy = {
  readonly date: string;
  readonly expected: string;
  readonly phrases: number;
  readonly wronglyDead: number;
};

/** The published accuracy, for the first page. @throws if it is not there: a page would promise nothing, or something else. Pure. */
export function accuracyIn(text: string): Accuracy {
  const [, date] = /The figures are from (\d+ \w+ \d{4});/.exec(text) ?? [];
  const [, expected] = /\*\*Expect (\d+ to \d+ %) on unseen\s+phrases\*\*/.exec(text) ?? [];
  const [, table = ''] =
    /^\| unseen phrases \| number \| right \| wrongly dead \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(text) ?? [];
  const rows = [...table.matchAll(/^\| [^|]+ \| ([\d,]+) \| [\d.]+ % \| (\d+) \|/gm)];
  const sum = (at: number): number => rows.reduce((all, row) => all + Number(row[at]?.replaceAll(',', '')), 0);
  if (!date || !expected || rows.length === 0 || rows.length !== table.trimEnd().split('\n').length)
    throw new Error('The published accuracy was not found in prober/ACCURACY.md.');
  return { date, expected, phrases: sum(1), wronglyDead: sum(2) };
}
