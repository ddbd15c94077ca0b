import type { RowAnswer } from '../columns/result-columns.ts';
import type { Row } from '../reading/row.ts';

/** Takes a file piece by piece. Awaited, so that a slow disk slows the writer. */
export type Sink = (piece: string | Uint8Array<ArrayBuffer>) => Promise<void>;

export type ListWriter = {
  /**
   * @param answer null: our cells stay empty or as they were
   * @throws UnreadableList for a row that the format cannot hold; what the sink throws, as the other two do
   */
  readonly row: (row: Row, answer: RowAnswer | null) => Promise<void>;
  /** Writes what is buffered. */
  readonly flush: () => Promise<void>;
  /** After the last row, once. */
  readonly end: () => Promise<void>;
};
