/** So many columns of weights: n-grams that fall into one share it. A power of two. */
export const BUCKETS = 8_192;

const WORDS_MAX = 60;
const GRAM_WORDS = 3;
const GRAM_CHARS = 4;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * The columns that a gist has something in, each once: its rows of one to three words, and four letters in a row of words
 * that stand for themselves. Bounded like the gist.
 */
export function featuresOf(gist: string): Set<number> {
  const words = gist.trim().split(' ').slice(0, WORDS_MAX);
  const columns = new Set<number>();
  for (const [at, word] of words.entries()) {
    let row = FNV_OFFSET;
    for (const next of words.slice(at, at + GRAM_WORDS)) {
      row = hash(next, Math.imul(row ^ 32, FNV_PRIME));
      columns.add(row & (BUCKETS - 1));
    }
    if (!/^\p{Ll}{5,}$/u.test(word)) continue;
    for (let from = 0; from + GRAM_CHARS <= word.length; from += 1)
      columns.add(hash(word.slice(from, from + GRAM_CHARS), FNV_OFFSET ^ 1) & (BUCKETS - 1));
  }
  return columns;
}

/** FNV-1a over UTF-16 units. */
function hash(text: string, start: number): number {
  let value = start;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), FNV_PRIME);
  return (value ^ (value >>> 15)) >>> 0;
}
