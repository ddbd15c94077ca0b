export type Problem =
  /** Neither text nor a workbook. */
  | 'not a list'
  /** Bytes that are no text in the encoding. */
  | 'encoding'
  /** An encoding was asked for that nobody knows. */
  | 'unknown encoding'
  /** A quotation mark that is not closed, half a line of JSON, a workbook that is not whole. */
  | 'damaged'
  /** A sheet was asked for that the workbook does not have. */
  | 'no such sheet'
  /** A number would lose digits on its way through a cell. */
  | 'inexact'
  /** Beyond a bound. */
  | 'too large';

/** A list that cannot be read. The message is a sentence for people, which does not name the file. */
export class UnreadableList extends Error {
  override readonly name = 'UnreadableList';
  readonly problem: Problem;

  constructor(problem: Problem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
