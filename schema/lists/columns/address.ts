const ADDRESS = /^(?:"[^"]+"|[^\s@,;|]+)@[^\s@.,;|<>()"]+(?:\.[^\s@.,;|<>()"]+)+\.?$/u;
const LENGTH_MAX = 320;
/** `Ann <ann@…>`, and nothing behind it but a separator. */
const IN_BRACKETS = /^[^<>]*<([^<>]+)>[\s,;]*$/;
/** What nobody sees: soft hyphens, zero-width characters, and the marks of a direction that are copied along from mail programs. */
const UNSEEN = '\\u00AD\\u200B-\\u200F\\u202A-\\u202E\\u2060\\u2066-\\u2069';
/** What stands around an address without being of it: spaces of any kind, and what parts it from a next one. */
const AROUND = new RegExp(`^[\\s${UNSEEN}]+|[\\s${UNSEEN},;]+$`, 'gu');
const MAILTO = /^mailto:([^?]*)(?:\?.*)?$/i;

/** Put in front of what a spreadsheet would run, by us (`writing/csv.ts`) and by others. */
const APOSTROPHE = /^'(?=[=+\-@])/;

/** What stands between addresses that share a cell. A slash may also be part of an address. */
const BETWEEN = new RegExp(`[\\s,;|<>()"${UNSEEN}]+`, 'u');
const BETWEEN_TWO = /[/&]/;

/**
 * The address that a cell holds: itself, or what stands in brackets in `Ann <ann@…>` or behind `mailto:`. A cell with
 * several addresses is left as it is, which is not an address: nobody knows which one is meant.
 */
export function addressIn(cell: string): string {
  const text = (IN_BRACKETS.exec(cell)?.[1] ?? cell).replaceAll(AROUND, '');
  const address = (MAILTO.exec(text)?.[1] ?? text).replace(APOSTROPHE, '');
  if (ADDRESS.test(address)) return address;
  const [one, ...others] = addressesIn(text);
  // The same one twice is one.
  return one !== undefined && others.length === 0 && text.split('@').length > 2 ? one : address;
}

/** Whether a cell holds different addresses: it is to be divided, and is no bad address. */
export function holdsSeveral(cell: string): boolean {
  return !ADDRESS.test(addressIn(cell)) && addressesIn(cell).length > 1;
}

/** The different ones, as they stand in a cell that is not one itself. */
function addressesIn(cell: string): readonly string[] {
  if (cell.indexOf('@') === cell.lastIndexOf('@')) return [];
  const pieces = cell.split(BETWEEN).flatMap((piece) => (ADDRESS.test(piece) ? piece : piece.split(BETWEEN_TWO)));
  const found = pieces.map((piece) => piece.replace(/^mailto:/i, '')).filter((piece) => ADDRESS.test(piece));
  return [...new Map(found.map((piece) => [piece.toLowerCase(), piece])).values()];
}

/** Whether a cell looks like an address, which tells a column of them from others. The service alone knows if it is. */
export function looksLikeAddress(cell: string): boolean {
  const text = addressIn(cell);
  return text.length <= LENGTH_MAX && ADDRESS.test(text);
}

/**
 * The address of a row. A comma that nobody put into quotes (`Lee, Ann`) moves the cells behind it: in a row with more
 * cells than the list has columns the address is the only cell that looks like one.
 * @param column where addresses stand
 * @param width columns of the list
 */
export function addressInRow(cells: readonly string[], column: number, width: number): string {
  const cell = cells[column] ?? '';
  if (cells.length <= width || looksLikeAddress(cell)) return addressIn(cell);
  const [moved, ...others] = cells.slice(column).filter(looksLikeAddress);
  return addressIn(moved !== undefined && others.length === 0 ? moved : cell);
}
