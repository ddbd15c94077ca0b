import { looksLikeAddress } from '../columns/address.ts';
import { isJsonArray } from './json-lines.ts';
import { UnreadableList } from './unreadable.ts';

/** `text` has one address a line. */
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

/** The format that a file name suggests; null if it suggests none. */
export function formatByName(name: string): Format | null {
  const extension = /[^/\\]\.([^./\\]+)$/.exec(name)?.[1] ?? '';
  return BY_EXTENSION[extension.toLowerCase()] ?? null;
}

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** Files that are neither text nor XLSX, by their first bytes. */
const OTHERS: ReadonlyArray<readonly [start: readonly number[], words: string]> = [
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'This is an old Excel file (.xls), or one with a password. Save it as .xlsx or CSV first.',
  ],
  [[0x1f, 0x8b], 'The file is compressed: use gunzip first.'],
  [[0x25, 0x50, 0x44, 0x46], 'This is a PDF. Save your list as CSV or .xlsx.'],
];
/** Control characters other than white space: rare in text. */
const CONTROLS = /(?!\s)\p{Cc}/gu;
/** A few stray ones are accepted. */
const CONTROLS_MOST = 20;
const CONTROLS_SHARE = 0.005;
/** Texts of old databases have a zero here and there, and nothing else has so few. */
const ZERO_LEAST = 10;

export function isZip(start: Uint8Array): boolean {
  return ZIP.every((byte, at) => start[at] === byte);
}

/** @throws UnreadableList with advice, for a file that is neither text nor a workbook */
export function refuseOthers(start: Uint8Array): void {
  for (const [bytes, words] of OTHERS)
    if (bytes.every((byte, at) => start[at] === byte)) throw new UnreadableList('not a list', words);
}

/** @throws UnreadableList for binary data, and for HTML and XML */
export function refuseBinary(sample: string): void {
  if (
    (sample.split('\0').length - 1) * ZERO_LEAST > sample.length ||
    (sample.match(CONTROLS)?.length ?? 0) > Math.max(CONTROLS_MOST, sample.length * CONTROLS_SHARE)
  )
    throw new UnreadableList('not a list', 'This is not a text file. Save your list as CSV or .xlsx.');
  if (isMarkup(sample.trimStart()))
    throw new UnreadableList('not a list', 'This is a web page or XML. Open it in a spreadsheet and save it as .xlsx.');
  if (/^\s*BEGIN:VCARD/i.test(sample))
    throw new UnreadableList('not a list', 'These are vCards. Export your contacts as CSV instead.');
}

/** Tools write HTML from any of its tags on, or a web archive (MIME), and call it .xls. */
function isMarkup(sample: string): boolean {
  if (/^(?:[\w-]{1,40}:[^\n]{0,1000}\n){0,9}MIME-Version:/i.test(sample)) return true;
  return (
    /^<(?:[!?]|(?:html|table|meta|link)\b)/i.test(sample) ||
    /^<[a-z][a-z\d]*(?:[\s:][^<>]*)?>(?![,;\t|])(?=.*<\/?[a-z])/is.test(sample)
  );
}

/** The format of a text: by its name, unless the content contradicts. */
export function textFormat(name: string, sample: string): Format {
  if (/^\s*\{\s*["}]/.test(sample) || isJsonArray(sample)) return 'jsonl';
  if (/\.json$/i.test(name) && /^\s*[{[]/.test(sample)) return 'jsonl';
  switch (formatByName(name)) {
    case 'tsv':
      return 'tsv';
    case 'jsonl':
      return /^\s*[{[]/.test(sample) ? 'jsonl' : 'csv';
    // Many tables are named .txt.
    case 'text':
      return isMostlyAddresses(sample) ? 'text' : 'csv';
    case 'csv':
    case 'xlsx':
    case null:
      return 'csv';
  }
}

function isMostlyAddresses(sample: string): boolean {
  const lines = sample.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  return lines.filter(looksLikeAddress).length * 2 >= lines.length;
}
