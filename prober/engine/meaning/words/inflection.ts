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

/** A word of the tables. `hasForms`: other words may be forms of it. */
export type Known = { readonly word: string; readonly stands: string; readonly hasForms: boolean };

/**
 * Finds the word that another one is a form of: `suspending` of `suspended`, `desconocidas` of `desconocido`.
 * @param knownFrom the known words that begin with these letters
 * @returns the known word; undefined if there is none, or if there are several with different meanings
 */
export function createInflection(knownFrom: (head: string) => readonly Known[]): (word: string) => string | undefined {
  const kinOf = new Map<string, ReadonlyMap<string, string | null>>();
  return (word) => {
    if (word.length < STEM_CHARS_MIN) return undefined;
    // Related words begin alike: stems are computed only for those words that a reply's word may be a form of.
    const head = word.slice(0, STEM_CHARS_MIN);
    let kin = kinOf.get(head);
    if (kin === undefined) {
      const known = knownFrom(head);
      if (known.length === 0) return undefined;
      kin = byStem(known);
      kinOf.set(head, kin);
    }
    return kin.get(word) ?? kin.get(stemOf(word)) ?? undefined;
  };
}

/**
 * Each known word by itself and by its stem; null if it has no forms, or if words of several meanings share the stem.
 */
function byStem(known: readonly Known[]): ReadonlyMap<string, string | null> {
  const kin = new Map<string, string | null>();
  const meanings = new Map<string, string>();
  for (const { word, stands, hasForms } of known) {
    const stem = stemOf(word);
    if (!hasForms || (meanings.get(stem) ?? stands) !== stands) kin.set(stem, null);
    else if (!kin.has(stem)) kin.set(stem, word);
    meanings.set(stem, stands);
  }
  for (const { word, hasForms } of known) if (hasForms) kin.set(word, word);
  return kin;
}
