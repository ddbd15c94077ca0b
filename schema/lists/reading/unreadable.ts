export type Problem =
  /** Neither text nor a workbook. */
  | 'not a list'
  /** Bytes that are invalid in the encoding. */
  | 'encoding'
  /** The user named an unknown encoding. */
  | 'unknown encoding'
  /** An unclosed quotation mark, half a line of JSON, a truncated workbook. */
  | 'damaged'
  /** The user named a sheet that the workbook does not have. */
  | 'no such sheet'
  /** Nothing says which column is meant. */
  | 'unclear'
  /** Not the list any more that was read first. */
  | 'changed'
  /** Beyond a bound. */
  | 'too large';

/** A list that cannot be read. The message is for the user, without the name of the file. */
export class UnreadableList extends Error {
  override readonly name = 'UnreadableList';
  readonly problem: Problem;

  constructor(problem: Problem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
