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
      const order = this.#compare(start, name);
      if (order === 0) return true;
      if (order < 0) low = text.indexOf('\n', start) + 1;
      else high = start;
    }
    return false;
  }

  /** How the name that begins there stands to another: below 0 before it, above 0 behind. Cuts out no text. */
  #compare(start: number, name: string): number {
    const text = this.#text;
    for (let i = 0; i < name.length; i += 1) {
      const difference = text.charCodeAt(start + i) - name.charCodeAt(i);
      // A line break comes before any letter, as the shorter name does.
      if (difference !== 0) return difference;
    }
    return text.charCodeAt(start + name.length) === LINE_BREAK ? 0 : 1;
  }
}

const LINE_BREAK = 10;

/** The names in order, a line break behind each. */
export function sortedText(names: readonly string[]): string {
  return names
    .toSorted()
    .map((name) => `${name}\n`)
    .join('');
}
