import { columnLetters } from '../columns/column-letters.ts';
import { configure, TextReader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import { cellOf, type Layout, RESULT_COLUMNS, type RowAnswer, valueOf } from '../columns/result-columns.ts';
import type { CellKind, Row } from '../reading/row.ts';
import { UnreadableList } from '../reading/unreadable.ts';
import { COLUMNS_MAX } from '../reading/row.ts';
import { ROWS_MAX } from '../reading/sheet.ts';
import type { ListWriter, Sink } from './sink.ts';
import { type RowForm, saidOf } from './row-writer.ts';
import { cellXml } from './sheet-xml.ts';

// Rows and results → Excel's .xlsx: one sheet, written and deflated as its rows come.

configure({ useWebWorkers: false });

/** Excel's own. */
const CELL_CHARACTERS_MAX = 32_767;
const PIECE_CHARACTERS = 65_536;
/** The limit of ZIP without ZIP64, which Excel reports as damage. */
const SHEET_BYTES_MAX = 4_000_000_000;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const SHEET = 'xl/worksheets/sheet1.xml';

/** Everything but the sheet. The styles are those of `sheet-xml.ts`: plain, day, moment, time. */
const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/${SHEET}" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Results" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4">${[
    0, 14, 22, 21,
  ]
    .map((format) => `<xf numFmtId="${format}" xfId="0" applyNumberFormat="1"/>`)
    .join('')}</cellXfs></styleSheet>`,
};
/** With a frozen header row. */
const SHEET_START = `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
const SHEET_END = '</sheetData></worksheet>';

/** @throws UnreadableList, and what the sink throws, by each of its functions */
export async function workbookWriter(
  { layout, above }: Pick<RowForm<'xlsx'>, 'layout' | 'above'>,
  sink: Sink,
): Promise<ListWriter> {
  const sheet = await openSheet(sink);
  const letters = layout.names.map((_, column) => columnLetters(column));
  const check = workbookCheck();
  let number = 0;
  const write = (cells: readonly string[], kinds: readonly CellKind[]): Promise<void> => {
    number += 1;
    const xml = cells.map((cell, at) => cellXml(cell, kinds[at] ?? 'text', letters[at] ?? columnLetters(at), number));
    return sheet.write(`<row r="${number}">${xml.join('')}</row>`);
  };
  refuseCells(1, layout.names.slice(0, layout.theirs));
  for (const { cells, kinds } of above) await write(cells, kinds ?? []);
  await write(layout.names, []);
  return {
    row: async (row, answer) => {
      check(row);
      const { cells, kinds } = cellsOf(row, answer, layout);
      await write(cells, kinds);
    },
    flush: async () => {},
    end: sheet.end,
  };
}

function cellsOf(row: Row, answer: RowAnswer | null, layout: Layout): { cells: string[]; kinds: CellKind[] } {
  const cells = layout.names.map((_, at) => row.cells[at] ?? '');
  const kinds = layout.names.map((_, at): CellKind => row.kinds?.[at] ?? 'text');
  const said = saidOf(answer, row, layout);
  if (said === null) return { cells, kinds };
  for (const [nth, column] of layout.columns.entries()) {
    const value = valueOf(said, column);
    const place = layout.places[nth] ?? -1;
    // A newer service may send more.
    cells[place] = cellOf(value).slice(0, CELL_CHARACTERS_MAX);
    kinds[place] = typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'flag' : 'text';
  }
  return { cells, kinds };
}

/** @returns to be called with each row below the header. @throws UnreadableList for a row that no workbook can hold */
export function workbookCheck(): (row: Row) => void {
  let rows = 0;
  return (row) => {
    rows += 1;
    if (rows >= ROWS_MAX) throw tooLarge(`A workbook has at most ${ROWS_MAX.toLocaleString('en')} rows`);
    refuseCells(row.line, row.cells);
  };
}

/** @param theirs the customer's cells */
function refuseCells(line: number, theirs: readonly string[]): void {
  if (theirs.length > COLUMNS_MAX - RESULT_COLUMNS.length)
    throw tooLarge(`Line ${line} has more cells than a workbook can have`);
  if (theirs.some((cell) => cell.length > CELL_CHARACTERS_MAX))
    throw tooLarge(
      `Line ${line} has a cell with more than ${CELL_CHARACTERS_MAX.toLocaleString('en')} characters, the most in a workbook`,
    );
}

function tooLarge(what: string): UnreadableList {
  return new UnreadableList('too large', `${what}: choose an output in CSV.`);
}

type Sheet = { readonly write: (xml: string) => Promise<void>; readonly end: () => Promise<void> };

/** The file around the rows. The ZIP library reads them from a stream and deflates with the runtime's own compression. */
async function openSheet(sink: Sink): Promise<Sheet> {
  const target = new WritableStream<Uint8Array<ArrayBuffer>>({ write: sink });
  const zip = new ZipWriter(target, { useWebWorkers: false, zip64: false, extendedTimestamp: false });
  for (const [name, xml] of Object.entries(PARTS)) await zip.add(name, new TextReader(`${HEAD}${xml}`));
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const added = zip.add(SHEET, readable);
  // Pending until it fails.
  const failed = new Promise<never>((_, fail) => {
    added.catch(fail);
  });
  failed.catch(() => {});
  const writer = writable.getWriter();
  writer.closed.catch(() => {});
  const utf8 = new TextEncoder();
  let text = SHEET_START;
  let written = 0;
  const send = async (): Promise<void> => {
    const piece = utf8.encode(text);
    text = '';
    written += piece.length;
    if (written > SHEET_BYTES_MAX) throw tooLarge('The workbook would be larger than Excel can open');
    // A failed sink reads nothing more.
    await Promise.race([writer.write(piece), failed]);
  };
  return {
    write: async (xml) => {
      text += xml;
      if (text.length >= PIECE_CHARACTERS) await send();
    },
    end: async () => {
      text += SHEET_END;
      await send();
      await Promise.race([writer.close(), failed]);
      await added;
      await zip.close();
    },
  };
}
