const ROWS_MOST = 1_000;
const CHARACTERS_MOST = 4_000_000;

/** Rows from the top of a list, to find its column of addresses; bounded in number and size. */
export class Sample {
  readonly #rows: (readonly string[])[] = [];
  #characters = 0;

  get rows(): ReadonlyArray<readonly string[]> {
    return this.#rows;
  }

  get isFull(): boolean {
    return this.#rows.length >= ROWS_MOST || this.#characters >= CHARACTERS_MOST;
  }

  add(cells: readonly string[]): void {
    this.#rows.push(cells);
    for (const cell of cells) this.#characters += cell.length;
  }
}
