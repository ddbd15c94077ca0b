/** Endings by which related words differ, folded, in the languages that are read with spaces between words. */
const ENDING =
  /(?:ings?|ions?|ed|e[nrms]|e[nt]s|e[sd]?|[oai]s|[aiouy]|s|t|n|ar|ego|emu|ymi?|ej|a[yj]a|ыи|ои|ии|еи|ов|ев|ow|ych|ich|ого|его|ому|ему|ая|ое|ее|ые|ие|ым[и]?|им|ых|их|ую|[аоыиеуюя]|ο[ςιυ]|η[ςν]?|ες|[οηα])$/u;
/** A shorter stem has too many unrelated words: `send` and `sense`. */
const STEM_CHARS_MIN = 5;
const WORD_CHARS_MAX = 24;

/** A word without its ending; unchanged if too little would be left. */
export function stemOf(word: string): string {
  if (word.length > WORD_CHARS_MAX) return word;
  const stem = word.replace(ENDING, '');
  return stem.length >= STEM_CHARS_MIN ? stem : word;
}

/**
 * Finds the word that another one is a form of: `suspending` of `suspended`, `desconocidas` of `desconocido`.
 * @param known the known words and what each represents
 * @param uninflected those of them without other forms; called when a word may be a form of any
 * @returns the known word; undefined if there is none, or if there are several with different meanings
 */
export function createInflection(
  known: ReadonlyMap<string, string>,
  uninflected: () => readonly string[],
): (word: string) => string | undefined {
  let byHead: ReadonlyMap<string, readonly string[]> | null = null;
  let fixed: ReadonlySet<string> | null = null;
  const kinOf = new Map<string, ReadonlyMap<string, string | null>>();
  return (word) => {
    if (word.length < STEM_CHARS_MIN) return undefined;
    const head = headOf(word);
    byHead ??= Map.groupBy(known.keys(), headOf);
    const words = byHead.get(head);
    if (words === undefined) return undefined;
    fixed ??= new Set(uninflected());
    const kin = kinOf.get(head) ?? byStem(words, known, fixed);
    kinOf.set(head, kin);
    return kin.get(word) ?? kin.get(stemOf(word)) ?? undefined;
  };
}

/** Related words begin alike: stems are computed only for those words that a reply's word may be a form of. */
const headOf = (word: string): string => word.slice(0, STEM_CHARS_MIN);

/**
 * Each known word by itself and by its stem; null if it has no forms, or if words of several meanings share the stem.
 */
function byStem(
  words: readonly string[],
  known: ReadonlyMap<string, string>,
  uninflected: ReadonlySet<string>,
): ReadonlyMap<string, string | null> {
  const kin = new Map<string, string | null>();
  for (const word of words) {
    const stem = stemOf(word);
    const other = kin.get(stem);
    if (uninflected.has(word)) kin.set(stem, null);
    else if (other === undefined) kin.set(stem, word);
    else if (other !== null && known.get(other) !== known.get(word)) kin.set(stem, null);
  }
  for (const word of words) if (word.length >= STEM_CHARS_MIN && !uninflected.has(word)) kin.set(word, word);
  return kin;
}
