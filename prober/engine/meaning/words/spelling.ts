/** Shorter words have too many neighbours: `send` and `sent`, `list` and `lost`. */
const LETTERS_MIN = 6;
const LETTERS_MAX = 20;

/**
 * Finds what a misspelt word was meant to be: one letter wrong, missing, too many, or two swapped, and the first one right.
 * @param known the known spellings and what each stands for; asked for with the first word: most processes never ask
 * @returns the known spelling; undefined if none is near, or if several are that stand for different things. Of several
 *   that stand for the same it is the one whose letter is missing, else the first of the known
 */
export function createSpelling(known: () => ReadonlyMap<string, string>): (word: string) => string | undefined {
  let near: ReadonlyMap<string, readonly Spelt[]> | null = null;
  return (word) => {
    if (!isLong(word)) return undefined;
    near ??= byShape(known());
    let meant: Spelt | undefined;
    for (const length of [word.length + 1, word.length, word.length - 1]) {
      for (const candidate of near.get(shapeOf(word, length)) ?? []) {
        if (!isOneApart(word, candidate.word)) continue;
        if (meant !== undefined && meant.stands !== candidate.stands) return undefined;
        if (meant === undefined || (meant.at > candidate.at && meant.word.length <= word.length)) meant = candidate;
      }
    }
    return meant?.word;
  };
}

/** `at`: its place among the known. */
type Spelt = { readonly word: string; readonly stands: string; readonly at: number };

/** The words by what a word one letter apart has in common with them: an index of all their misspellings took 7 MB. */
function byShape(words: ReadonlyMap<string, string>): ReadonlyMap<string, readonly Spelt[]> {
  const long = Array.from(words, ([word, stands], at) => ({ word, stands, at })).filter(({ word }) => isLong(word));
  return Map.groupBy(long, ({ word }) => shapeOf(word, word.length));
}

const shapeOf = (word: string, length: number): string => `${word.charAt(0)}${length}`;

const isLong = (word: string): boolean => word.length >= LETTERS_MIN && word.length <= LETTERS_MAX;

function isOneApart(a: string, b: string): boolean {
  if (a[0] !== b[0] || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const [restA, restB] = [a.slice(start, endA), b.slice(start, endB)];
  if (restA.length <= 1 && restB.length <= 1) return true;
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
}
