import type { RowAnswer } from '../columns/result-columns.ts';
import type { Row } from '../reading/row.ts';

/** Takes a file piece by piece. It is waited for, so that a slow disk holds up what comes. */
export type Sink = (piece: string | Uint8Array<ArrayBuffer>) => Promise<void>;

export type ListWriter = {
  /**
   * @param answer null: nothing is to be said, and our cells are empty or as they were
   * @throws UnreadableList for a row that the format cannot hold; what the sink throws, as the other two do
   */
  readonly row: (row: Row, answer: RowAnswer | null) => Promise<void>;
  /** Hands out what can be read already. */
  readonly flush: () => Promise<void>;
  /** After the last row, and once. */
  readonly end: () => Promise<void>;
};
