/**
 * The type of a cell, for outputs that have types. A date is written as `2026-11-21 10:30:00`, or a part of it; `formula` is one
 * that no program has calculated, and is empty.
 */
export type CellKind = 'text' | 'number' | 'flag' | 'date' | 'formula';

export type Row = {
  /** Its line in the file, from 1, for messages. */
  readonly line: number;
  /** May be fewer than the table has columns. */
  readonly cells: readonly string[];
  /** The line of JSON itself, so that writing it again loses nothing; null for other formats. */
  readonly raw: string | null;
  /** Of each cell. Null: all of them are text, as in CSV. */
  readonly kinds: readonly CellKind[] | null;
};

/** Rows in batches of a few milliseconds each, so that a page stays responsive. */
export type Rows = AsyncGenerator<readonly Row[], undefined>;

/** Excel's own. */
export const COLUMNS_MAX = 16_384;

/** No row of addresses is this long; an unclosed quotation mark makes one. */
export const ROW_CHARACTERS_MAX = 1_048_576;
