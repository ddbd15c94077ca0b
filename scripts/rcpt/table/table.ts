/** How a list is written. `text` has one address a line. */
export const FORMATS = ['csv', 'tsv', 'jsonl', 'text', 'xlsx'] as const;
export type Format = (typeof FORMATS)[number];

export type Row = {
  /** Where it stands in the file, from 1: for people. */
  readonly line: number;
  /** As many as it has; a table may have more columns. */
  readonly cells: readonly string[];
  /** Of JSONL, the line itself: nothing in it is lost by reading and writing. */
  readonly raw: string | null;
};

/** A list as rows and columns. It can be read more than once, and is never in memory as a whole unless it is XLSX. */
export type Table = {
  readonly format: Format;
  /** One for each column; columns that only later rows have are added while the rows are read. */
  readonly names: string[];
  /** Whether the list itself names its columns. */
  readonly hasHeader: boolean;
  readonly style: Style;
  /** Without the header. @throws Failure */
  readonly rows: () => AsyncIterable<Row>;
};

/** What an output in the same form keeps. */
export type Style = {
  readonly delimiter: string;
  readonly newline: '\n' | '\r\n';
  /** Begins with a byte order mark. */
  readonly hasMark: boolean;
};
