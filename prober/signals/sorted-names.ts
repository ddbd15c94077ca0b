/** Asks whether a name is among many: one text takes a tenth of what a set of as many strings does, and nothing to make. */
export class SortedNames {
  readonly #text: string;

  /** @param text what `sortedText` made of the names */
  constructor(text: string) {
    this.#text = text;
  }

  has(name: string): boolean {
    const text = this.#text;
    let low = 0;
    let high = text.length;
    while (low < high) {
      const start = text.lastIndexOf('\n', ((low + high) >>> 1) - 1) + 1;
      const end = text.indexOf('\n', start);
      const there = text.slice(start, end);
      if (there === name) return true;
      if (there < name) low = end + 1;
      else high = start;
    }
    return false;
  }
}

/** The names in order, a line break behind each. */
export function sortedText(names: readonly string[]): string {
  return names
    .toSorted()
    .map((name) => `${name}\n`)
    .join('');
}
