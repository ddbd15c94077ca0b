import { identityOf, mayBeAddress } from '../../../schema/client/list/entry.ts';

/** The addresses of a list in its order, each kept once. Places are counted from 0. */
export class Addresses {
  /** The number of each address, by its identity, in the order in which they came. */
  readonly #numbers = new Map<string, number>();
  readonly #emails: string[] = [];
  readonly #firstPlaces: number[] = [];
  #numberAt = new Int32Array(1_024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get distinct(): number {
    return this.#emails.length;
  }

  add(email: string): void {
    const identity = unshared(identityOf(email));
    let number = this.#numbers.get(identity);
    if (number === undefined) {
      number = this.#emails.push(unshared(email)) - 1;
      this.#firstPlaces.push(this.#size);
      this.#numbers.set(identity, number);
    }
    if (this.#size === this.#numberAt.length) {
      const larger = new Int32Array(this.#size * 2);
      larger.set(this.#numberAt);
      this.#numberAt = larger;
    }
    this.#numberAt[this.#size] = number;
    this.#size += 1;
  }

  /** The place where the address of a place stands first. */
  firstOf(place: number): number {
    return this.#firstPlaces[this.#numberAt[place] ?? -1] ?? place;
  }

  isFirst(place: number): boolean {
    return this.firstOf(place) === place;
  }

  /** Whether this is still the address of a place. */
  isAt(place: number, email: string): boolean {
    return place < this.#size && this.#numbers.get(identityOf(email)) === this.#numberAt[place];
  }

  /** Whether asking the address of a place may cost a credit. */
  mayCost(place: number): boolean {
    return mayBeAddress(this.#emails[this.#numberAt[place] ?? -1] ?? '');
  }

  /** Each address at its place, and null at the place of one that stood in the list before. */
  *emails(): Generator<string | null, undefined> {
    for (let place = 0; place < this.#size; place += 1)
      yield this.isFirst(place) ? (this.#emails[this.#numberAt[place] ?? -1] ?? null) : null;
  }
}

/** A copy: a cell is a view of the piece of the file that it was read from, and would keep all of it in memory. */
function unshared(text: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(text));
  return typeof copy === 'string' ? copy : text;
}
