/** What `prober/ACCURACY.md` says of replies that no rule was written for, word for word. */
export type Accuracy = {
  readonly date: string;
  readonly expected: string;
  readonly replies: string;
  readonly right: string;
  readonly wronglyDead: string;
  readonly wronglyLiving: string;
};

const FIGURES =
  /The figures are from (?<date>\d+ \w+ \d{4});.*\*\*Expect (?<expected>\d+ to \d+ %) on unseen phrases\*\*: of (?<replies>[\d,]+) phrases .*?, (?<right>[\d.]+ %) were right at first, (?<wronglyDead>\d+) wrongly dead and (?<wronglyLiving>\d+) wrongly living\./s;

/** The published accuracy, for the first page. @throws if it is not there: a page would promise nothing, or something else. Pure. */
export function accuracyIn(text: string): Accuracy {
  const { date, expected, replies, right, wronglyDead, wronglyLiving } =
    FIGURES.exec(text.replaceAll(/\s+/g, ' '))?.groups ?? {};
  if (!date || !expected || !replies || !right || !wronglyDead || !wronglyLiving)
    throw new Error('The published accuracy was not found in prober/ACCURACY.md.');
  return { date, expected, replies, right, wronglyDead, wronglyLiving };
}
