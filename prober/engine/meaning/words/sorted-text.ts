/**
 * A large set of names, each perhaps with more about it: one text takes a tenth of the memory of a set of strings, and no
 * time to build.
 */
export class SortedText {
  readonly #text: string;

  /** @param text from `sortedText` */
  constructor(text: string) {
    this.#text = text;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  /** What is said about a name, '' if nothing is; null if it is not there. */
  get(name: string): string | null {
    const start = this.#find(name);
    const end = start + name.length;
    if (!this.#text.startsWith(name, start)) return null;
    if (this.#text[end] === '\n') return '';
    return this.#text[end] === ' ' ? this.#text.slice(end + 1, this.#text.indexOf('\n', end)) : null;
  }

  /** The names that begin so. */
  beginningWith(head: string): string[] {
    const names: string[] = [];
    for (let at = this.#find(head); this.#text.startsWith(head, at); at = this.#text.indexOf('\n', at) + 1) {
      const [name = ''] = this.#text.slice(at, this.#text.indexOf('\n', at)).split(' ', 1);
      names.push(name);
    }
    return names;
  }

  /** Where the first line begins that is not before `name`. */
  #find(name: string): number {
    const text = this.#text;
    let low = 0;
    let high = text.length;
    while (low < high) {
      const start = text.lastIndexOf('\n', ((low + high) >>> 1) - 1) + 1;
      let at = 0;
      while (at < name.length && text.charCodeAt(start + at) === name.charCodeAt(at)) at += 1;
      if (at < name.length && text.charCodeAt(start + at) < name.charCodeAt(at)) low = text.indexOf('\n', start) + 1;
      else high = start;
    }
    return low;
  }
}

/** The lines in order, each a name, or a name, a space and more about it. No name has a character before the space. */
export function sortedText(lines: readonly string[]): string {
  return lines
    .toSorted()
    .map((line) => `${line}\n`)
    .join('');
}
