import { UnreadableList } from './unreadable.ts';

/** How a list is written. `text` has one address a line. */
export const FORMATS = ['csv', 'tsv', 'jsonl', 'text', 'xlsx'] as const;
export type Format = (typeof FORMATS)[number];

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  txt: 'text',
  xlsx: 'xlsx',
};

/** What the name of a file says of how it is written; null if nothing. */
export function formatByName(name: string): Format | null {
  const extension = /[^/\\]\.([^./\\]+)$/.exec(name)?.[1] ?? '';
  return BY_EXTENSION[extension.toLowerCase()] ?? null;
}

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** Files that are neither text nor XLSX, by how they begin. */
const OTHERS: ReadonlyArray<readonly [start: readonly number[], words: string]> = [
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'This is an old Excel file (.xls), or one with a password. Save it as .xlsx or CSV first.',
  ],
  [[0x1f, 0x8b], 'The file is compressed: use gunzip first.'],
];

export function isZip(start: Uint8Array): boolean {
  return ZIP.every((byte, at) => start[at] === byte);
}

/** @throws UnreadableList for a file that is neither text nor a workbook, with what to do */
export function refuseOthers(start: Uint8Array): void {
  for (const [bytes, words] of OTHERS)
    if (bytes.every((byte, at) => start[at] === byte)) throw new UnreadableList('not a list', words);
}

/** Text by what it says. */
export function formatOfText(sample: string): Format {
  return /^\s*\{/.test(sample) ? 'jsonl' : 'csv';
}
