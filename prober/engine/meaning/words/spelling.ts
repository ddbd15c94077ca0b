/** Shorter words have too many neighbours: `send` and `sent`, `list` and `lost`. */
const LETTERS_MIN = 6;
const LETTERS_MAX = 20;

/**
 * Finds what a misspelt word was meant to be: one letter wrong, missing, too many, or two swapped, and the first one right.
 * @param words known spellings and what each stands for
 * @returns the known spelling; undefined if none is near, or if several are that stand for different things
 */
export function createSpelling(words: ReadonlyMap<string, string>): (word: string) => string | undefined {
  // Made with the first word that is asked about: most commands that load this ask about none.
  let near: ReadonlyMap<string, readonly string[]> | null = null;
  return (word) => {
    if (!isLong(word)) return undefined;
    near ??= neighboursOf(words);
    let meant: string | undefined;
    for (const key of [word, ...shortened(word)]) {
      for (const candidate of near.get(key) ?? []) {
        if (!isOneApart(word, candidate)) continue;
        if (meant !== undefined && words.get(meant) !== words.get(candidate)) return undefined;
        meant ??= candidate;
      }
    }
    return meant;
  };
}

/** The words by each of their forms that lack one letter, and by themselves. */
function neighboursOf(words: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const near = new Map<string, string[]>();
  for (const word of words.keys()) {
    if (!isLong(word)) continue;
    for (const key of [word, ...shortened(word)]) {
      const there = near.get(key);
      if (there === undefined) near.set(key, [word]);
      else there.push(word);
    }
  }
  return near;
}

const isLong = (word: string): boolean => word.length >= LETTERS_MIN && word.length <= LETTERS_MAX;

/** The word without each of its letters in turn, the first kept. */
function shortened(word: string): string[] {
  const out: string[] = [];
  for (let at = 1; at < word.length; at += 1) out.push(word.slice(0, at) + word.slice(at + 1));
  return out;
}

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
