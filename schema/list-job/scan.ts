import { identityOf } from '../client/list/entry.ts';
import { addressesInRow, type Held, heldInRow } from '../lists/columns/address.ts';
import type { RowAnswer, RowResult } from '../lists/columns/result-columns.ts';
import { spelling } from '../words/result.ts';
import { unshared } from './unshared.ts';

/** What a list holds, before anything is asked. Rows are counted without the header. */
export type Totals = {
  readonly rows: number;
  /** Different addresses: what is asked, and the credits that this costs at most. */
  readonly addresses: number;
  /** Rows whose address stands in an earlier one. */
  readonly duplicates: number;
  readonly empty: number;
  /** Rows with several addresses in the cell. */
  readonly several: number;
  /** Rows whose cell is filled, and not with an address. */
  readonly none: number;
  /** Rows that are not wanted. */
  readonly excluded: number;
};

/** In place of an address's number. */
const EMPTY = -1;
const SEVERAL = -2;
const NONE = -3;
const EXCLUDED = -4;

/**
 * Goes once over a list and finds out which address each row has; keeps each address once, and nothing else of a row. Rows and
 * addresses are numbered from 0.
 */
export class Scan {
  /** Each once, in the order of the list: what is asked. */
  readonly addresses: string[] = [];
  /** Rows with formulas that no program has calculated: these cells are empty. */
  formulas = 0;
  readonly #column: number;
  readonly #width: number;
  /** By the address's identity. */
  readonly #known = new Map<string, number>();
  #numbers = new Int32Array(4_096);
  readonly #counts = { rows: 0, empty: 0, several: 0, none: 0, excluded: 0 };

  /** @param width how many columns the header names */
  constructor(column: number, width: number) {
    this.#column = column;
    this.#width = width;
  }

  get totals(): Totals {
    const { rows, empty, several, none, excluded } = this.#counts;
    const addresses = this.addresses.length;
    return { ...this.#counts, addresses, duplicates: rows - addresses - empty - several - none - excluded };
  }

  /** @param cells null: the row is not wanted. @returns what it holds */
  add(cells: readonly string[] | null): Held['kind'] | 'excluded' {
    const row = this.#counts.rows;
    if (row === this.#numbers.length) {
      const larger = new Int32Array(row * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    const held = cells === null ? ({ kind: 'excluded' } as const) : this.#heldIn(cells);
    this.#counts.rows += 1;
    this.#numbers[row] = held.kind === 'address' ? this.#numberOf(held.email) : SPECIAL[held.kind];
    if (held.kind !== 'address') this.#counts[held.kind] += 1;
    return held.kind;
  }

  /** The number of a row's address; null if it has none, or is not wanted. */
  numberOf(row: number): number | null {
    const number = this.#at(row);
    return number < 0 ? null : number;
  }

  /** Whether these are still the cells of a row. */
  isAt(row: number, cells: readonly string[]): boolean {
    const held = this.#heldIn(cells);
    const before = this.#at(row);
    if (row >= this.#counts.rows) return false;
    if (before === EXCLUDED) return true;
    return before === (held.kind === 'address' ? this.#known.get(identityOf(held.email)) : SPECIAL[held.kind]);
  }

  /** What is to be said of a row; null: nothing. @param result that of its address; null: there is none yet */
  answerOf(row: number, cells: readonly string[], result: RowResult | null): RowAnswer | null {
    switch (this.#at(row)) {
      case EMPTY:
      case EXCLUDED:
        return null;
      case SEVERAL:
        return 'several_addresses';
      case NONE:
        return 'no_address';
      default:
        return result === null
          ? 'not_asked_yet'
          : // As the row has its address: another row may write it otherwise.
            { ...result, result: { ...result.result, email: spelling(this.addressIn(cells) ?? '') } };
    }
  }

  /** Every address in these cells, also where one has several. */
  addressesIn(cells: readonly string[]): readonly string[] {
    return addressesInRow(cells, this.#column, this.#width);
  }

  /** The address in these cells; null if they have none, or several. */
  addressIn(cells: readonly string[]): string | null {
    const held = this.#heldIn(cells);
    return held.kind === 'address' ? held.email : null;
  }

  #at(row: number): number {
    return row < this.#counts.rows ? (this.#numbers[row] ?? EMPTY) : EMPTY;
  }

  #heldIn(cells: readonly string[]): Held {
    return heldInRow(cells, this.#column, this.#width);
  }

  #numberOf(email: string): number {
    const identity = unshared(identityOf(email));
    const known = this.#known.get(identity);
    if (known !== undefined) return known;
    const number = this.addresses.push(unshared(email)) - 1;
    this.#known.set(identity, number);
    return number;
  }
}

const SPECIAL = { empty: EMPTY, several: SEVERAL, none: NONE, excluded: EXCLUDED } as const;
