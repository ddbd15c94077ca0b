/** A file as rows of cells. */
export type Table = {
  /** What separates the cells in a file that is to be written like this one. */
  readonly delimiter: ',' | ';' | '\t' | '|';
  /** Something that the reader should know about how the file was read; null if nothing. */
  readonly remark: string | null;
  /** Batches of rows, each made in a few milliseconds; between two of them the page can do something else. */
  readonly rows: () => AsyncGenerator<string[][], undefined>;
};

/** A file that cannot be read, in words for the reader. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** A million, and a heading. */
export const ROWS_MAX = 1_000_001;
/** No row of a list of addresses is so long: a quote that is never closed is. */
export const ROW_CHARS_MAX = 1_048_576;

const BATCH_MS = 12;

/** Lets the page do something else, but only if it has been kept waiting. */
export function breather(): () => Promise<void> {
  let from = performance.now();
  return async () => {
    if (performance.now() - from < BATCH_MS) return;
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => {
        port1.close();
        resolve();
      });
      port1.start();
      port2.postMessage(null);
    });
    from = performance.now();
  };
}

/**
 * Opens a file as the table it is: Excel by its first bytes, anything else as text with separators.
 * @throws UnreadableFile
 */
export async function openTable(file: Blob): Promise<Table> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (start.length === 0) throw new UnreadableFile('The file is empty.');
  const [first, second, third, fourth] = start;
  if (first === 0x50 && second === 0x4b && third === 0x03 && fourth === 0x04) {
    const { openWorkbook } = await import('./workbook.ts');
    return openWorkbook(file);
  }
  if (first === 0xd0 && second === 0xcf && third === 0x11 && fourth === 0xe0)
    throw new UnreadableFile(
      'This is an old Excel file (.xls), or one with a password. Save it as .xlsx or CSV first.',
    );
  const { openDelimited } = await import('./delimited.ts');
  return openDelimited(file);
}
