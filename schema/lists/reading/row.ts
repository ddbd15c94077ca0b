/** What a cell holds, for an output that tells them apart. A date is written as `2026-11-21 10:30:00`, or a part of it. */
export type CellKind = 'text' | 'number' | 'flag' | 'date';

export type Row = {
  /** Where it stands in the file, from 1: for people. */
  readonly line: number;
  /** As many as it has; a table may have more columns. */
  readonly cells: readonly string[];
  /** Of JSONL, the line itself: nothing in it is lost by reading and writing. */
  readonly raw: string | null;
  /** Of each cell. Null: all of them are text, as in CSV. */
  readonly kinds: readonly CellKind[] | null;
};

/** Rows in batches, each made in a few milliseconds: a page can do something else between two of them. */
export type Rows = AsyncGenerator<readonly Row[], undefined>;

/** A row of a list of addresses is never this long: a quotation mark that is not closed is. */
export const ROW_CHARACTERS_MAX = 1_048_576;
