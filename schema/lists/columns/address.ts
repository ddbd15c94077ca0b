import { trim, withoutStrayMarks } from '../../words/unseen.ts';

const ADDRESS = /^(?:"[^"]+"|[^\s@,;|]+)@[^\s@.,;|<>()"]+(?:\.[^\s@.,;|<>()"]+)+\.?$/u;
const LENGTH_MAX = 320;
/** A longer cell, once trimmed, is no address, whatever stands around one in it. */
const CELL_MAX = 400;
/** `Ann <ann@…>` */
const IN_BRACKETS = /^[^<>]*<([^<>]+)>$/;
/** All but the separators at the end. */
const UNSEPARATED = /^.*[^\s,;\p{Default_Ignorable_Code_Point}]/su;
/** Quotation marks around an address; no domain ends with one. */
const QUOTED = /^["'`“”„‘’«»](.[^@]*@.+)["'`“”‘’«»]$/u;
const MAILTO = /^mailto:([^?]*)(?:\?.*)?$/i;

/** A guard against formulas, by us (`writing/csv.ts`) and by others. */
const APOSTROPHE = /^'(?=[=+\-@])/;

/** Separators between addresses in one cell. A slash may also be part of an address. */
const BETWEEN = /[\s,;|<>()"]+/;
const BETWEEN_TWO = /[/&]/;

/**
 * The address in a cell: the cell itself, or the part in brackets of `Ann <ann@…>`, or after `mailto:`. A cell with several
 * addresses is left as it is, and so is not an address.
 */
export function addressIn(cell: string): string {
  const cut = trim(cell);
  if (cut.length > CELL_MAX) return cut;
  const bare = bareOf(cut);
  const named = bareOf(IN_BRACKETS.exec(bare)?.[1] ?? bare);
  const text = QUOTED.exec(named)?.[1] ?? named;
  const address = (MAILTO.exec(text)?.[1] ?? text).replace(APOSTROPHE, '');
  if (ADDRESS.test(address)) return address;
  const [one, ...others] = addressesIn(text);
  // The same address twice counts once.
  return one !== undefined && others.length === 0 && text.split('@').length > 2 ? one : address;
}

/** Without stray marks, and what stands around it. */
function bareOf(text: string): string {
  return trim(UNSEPARATED.exec(withoutStrayMarks(text))?.[0] ?? '');
}

/** Whether a cell holds several different addresses: it should be split. */
export function holdsSeveral(cell: string): boolean {
  return addressesIn(cell).length > 1 && !ADDRESS.test(addressIn(cell));
}

/** The different addresses in a cell that is not one itself. */
function addressesIn(cell: string): readonly string[] {
  if (cell.indexOf('@') === cell.lastIndexOf('@')) return [];
  const pieces = withoutStrayMarks(cell)
    .split(BETWEEN)
    .flatMap((piece) => (ADDRESS.test(piece) ? piece : piece.split(BETWEEN_TWO)));
  const found = pieces.map((piece) => piece.replace(/^mailto:/i, '')).filter((piece) => ADDRESS.test(piece));
  return [...new Map(found.map((piece) => [piece.toLowerCase(), piece])).values()];
}

/** Whether a cell looks like an address; only the service knows whether it is valid. */
export function looksLikeAddress(cell: string): boolean {
  const text = addressIn(cell);
  return text.length <= LENGTH_MAX && ADDRESS.test(text);
}

/**
 * The address of a row. An unquoted comma (`Lee, Ann`) shifts the cells after it: in a row with more cells than the list has
 * columns, the only cell that looks like an address is used.
 * @param column of the addresses
 * @param width number of columns
 */
export function addressInRow(cells: readonly string[], column: number, width: number): string {
  const cell = cells[column] ?? '';
  if (cells.length <= width || looksLikeAddress(cell)) return addressIn(cell);
  const [moved, ...others] = cells.slice(column).filter(looksLikeAddress);
  return addressIn(moved !== undefined && others.length === 0 ? moved : cell);
}
