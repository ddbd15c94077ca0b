import { identityOf, mayBeAddress } from '../../../../schema/client/list/entry.ts';
import { addressInRow, holdsSeveral } from '../../../../schema/lists/columns/address.ts';
import type { ColumnChoice } from './columns.ts';

/** In `placeOf`: the cell is empty, surely not an address, or several of them. None of these is sent. */
export const EMPTY = -1;
export const BROKEN = -2;
export const SEVERAL = -3;

/** What a list holds, before anything is asked. Rows are counted without the heading. */
export type Totals = {
  readonly rows: number;
  /** Different addresses: what is asked, and the credits that this costs at most. */
  readonly addresses: number;
  readonly duplicates: number;
  readonly broken: number;
  readonly empty: number;
  /** Rows with several addresses in the cell. */
  readonly several: number;
};

/** Goes once over a list and finds out which address each row has. */
export class Survey {
  /** Each address once, in the order of the list. */
  readonly addresses: string[] = [];
  readonly #choice: ColumnChoice;
  readonly #asksAll: boolean;
  /** By the address's identity. */
  readonly #known = new Map<string, number>();
  #places = new Int32Array(4_096);
  #rows = 0;
  #empty = 0;
  #broken = 0;
  #several = 0;
  /** Cells of the first row; null before it. */
  #columns: number | null = null;
  #width = 0;

  /** @param asksAll also what surely is not an address: the service then says so, for nothing */
  constructor(choice: ColumnChoice, asksAll = false) {
    this.#choice = choice;
    this.#asksAll = asksAll;
  }

  get totals(): Totals {
    const rows = this.#rows;
    const addresses = this.addresses.length;
    const [broken, empty, several] = [this.#broken, this.#empty, this.#several];
    return { rows, addresses, broken, empty, several, duplicates: rows - addresses - broken - empty - several };
  }

  /** Cells of the longest row. */
  get width(): number {
    return this.#width;
  }

  add(rows: readonly (readonly string[])[]): void {
    for (const row of rows) {
      this.#width = Math.max(this.#width, row.length);
      if (this.#columns === null) {
        this.#columns = row.length;
        if (this.#choice.hasHeader) continue;
      }
      if (this.#rows === this.#places.length) this.#grow();
      this.#places[this.#rows] = this.#place(this.emailIn(row));
      this.#rows += 1;
    }
  }

  /** The address in the chosen column, as it is asked. */
  emailIn(row: readonly string[]): string {
    return addressInRow(row, this.#choice.column, this.#columns ?? row.length);
  }

  /** Where in `addresses` a row's address is; EMPTY, BROKEN or SEVERAL if it has none. */
  placeOf(row: number): number {
    return this.#places[row] ?? EMPTY;
  }

  #place(email: string): number {
    if (email === '') {
      this.#empty += 1;
      return EMPTY;
    }
    const identity = identityOf(email);
    const known = this.#known.get(identity);
    if (known !== undefined) return known;
    if (!this.#asksAll && holdsSeveral(email)) {
      this.#several += 1;
      return SEVERAL;
    }
    if (!this.#asksAll && !mayBeAddress(email)) {
      this.#broken += 1;
      return BROKEN;
    }
    const place = this.addresses.length;
    this.addresses.push(email);
    this.#known.set(identity, place);
    return place;
  }

  #grow(): void {
    const larger = new Int32Array(this.#places.length * 2);
    larger.set(this.#places);
    this.#places = larger;
  }
}
