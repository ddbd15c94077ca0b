import type { Row } from '../reading/row.ts';
import type { ListWriter, Sink } from './sink.ts';
import { type RowForm, rowWriter, type TextFormat } from './row-writer.ts';

// Rows and results → a file, in pieces.

export const OUTPUT_FORMATS = ['csv', 'tsv', 'jsonl', 'xlsx'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Written at once. */
const PIECE_CHARACTERS = 65_536;

/** @param form its layout is final: all columns are known */
export async function listWriter(form: RowForm<OutputFormat>, sink: Sink): Promise<ListWriter> {
  const { format } = form;
  if (format !== 'xlsx') return textWriter({ ...form, format }, sink);
  // Loaded on demand, with the library.
  const { workbookWriter } = await import('./workbook-writer.ts');
  return workbookWriter(form, sink);
}

async function textWriter(form: RowForm<TextFormat>, sink: Sink): Promise<ListWriter> {
  const { head, line } = rowWriter(form);
  let text = head;
  const flush = async (): Promise<void> => {
    const piece = text;
    text = '';
    if (piece !== '') await sink(piece);
  };
  return {
    flush,
    end: flush,
    row: async (row, answer) => {
      text += line(row, answer);
      if (text.length >= PIECE_CHARACTERS) await flush();
    },
  };
}

/**
 * Whether rows fit into a format, checked before their addresses are paid for.
 * @returns to be called with each row. @throws UnreadableList for a row that does not fit
 */
export async function rowCheck(format: OutputFormat): Promise<(row: Row) => void> {
  if (format !== 'xlsx') return () => {};
  const { workbookCheck } = await import('./workbook-writer.ts');
  return workbookCheck();
}
