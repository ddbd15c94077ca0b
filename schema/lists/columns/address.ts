import { trim, withoutStrayMarks } from '../../words/unseen.ts';

/** What a cell holds. */
export type Held =
  | { readonly kind: 'empty' | 'several' | 'none' }
  /** `isSure`: it is the whole cell or stands in angle brackets, and its domain has a dot. */
  | { readonly kind: 'address'; readonly email: string; readonly isSure: boolean };

const ADDRESS =
  /^(?!\w+:\/\/)(?:"[^"]+"|[^\s@,;|<>()"]+)@[\p{L}\p{M}\p{N}\p{Join_Control}_-]+(?:[.。．｡][\p{L}\p{M}\p{N}\p{Join_Control}_-]+)+$/u;
/** With a typing error, or an address literal: the service says what is wrong with it. */
const NEARLY = /^(?!\w+:\/\/)(?:"[^"]+"|[^\s,;|<>()"]+)@[^\s,;|<>()"]+$/u;
/** In it an @ is no address's. */
const LINK = /\w:\/\//;
const LENGTH_MAX = 320;
/** A longer cell, once trimmed, holds several addresses or none. */
const CELL_MAX = 400;
/** `Ann <ann@…>` */
const IN_BRACKETS = /^[^<>]*<([^<>]+)>$/;
/** `Ann (ann@…)` */
const IN_OTHER_BRACKETS = /^[^@()[\]{}]*[([{]([^\s()[\]{}]+@[^\s()[\]{}]+)[)\]}][^@]*$/u;
/** `["ann@…"]`, `[{"value":"ann@…"}]` */
const IN_JSON = /^\[[^@]*"([^"@\s\\]+@[^"@\s\\]+)"[^@]*\]$/;
/** `ann@… (Ann)` */
const BEFORE_BRACKETS = /^([^\s()[\]{}]+@[^\s()[\]{}]+)\s*[([{][^@]*$/u;
/** All but the separators and full stops at the end, and what pads a text there. */
const UNSEPARATED = /^.*[^\s,;:!?.。．｡、，；\p{Cc}\p{Default_Ignorable_Code_Point}]/su;
/** Quotation marks or brackets around an address; no domain ends with one. */
const QUOTED = /^["'`“”„‘’«»[{](.[^@]*@.+)["'`“”‘’«»\]}]$/u;
/** `="ann@…"`: the formula by which programs keep Excel from changing a text. */
const AS_TEXT = /^="([^"]*)"$/;
/** Of an entry in a list that was written by hand: `1. ann@…`, `• ann@…`. */
const BULLET = /^(?:[-–—*·•‣▪●○✉📧]|\d{1,6}[.)])\s+/u;
/** In it `%2B` stands for a plus sign (RFC 6068). */
const LINKED = /^(?:href=)?mailto:/i;
/** `mailto:ann@…?subject=…`, `SMTP:ann@…`, `Cc:ann@…`: no address has a colon in its unquoted local part. */
const LABEL = /^(?:href=)?[\p{L}-]{2,12}: ?(?!\/)([^?]*)(?:\?.*)?$/u;

/** A guard against formulas, by us (`writing/csv.ts`) and by others. */
const APOSTROPHE = /^'(?=[=+\-@])/;

/** Separators between addresses in one cell. A slash may also be part of an address. */
const BETWEEN = /(?:[\s,;|<>()"、，；：｜]|:::)+/u;
const BETWEEN_TWO = /[/&]/;
/** `"ann lee"@…` in running text. */
const QUOTED_LOCAL = /(?<=^|[\s,;<(])"[^"\n]{1,64}"@[^\s,;|<>()"]{1,255}/gu;
/** `ann@example.com。` and what follows: another sentence. */
const AFTER_DOMAIN = /^([^@]+@[^@.。．｡]+\.[^@。．｡]+)[。．｡]/u;

const NONE: Held = { kind: 'none' };
const SEVERAL: Held = { kind: 'several' };

/**
 * What a cell holds: an address, alone, in the brackets of `Ann <ann@…>`, or as a link; several different ones; or none. Of
 * words with spaces between them none is chosen: `ann lee@…` is no address of Lee's.
 */
export function heldIn(cell: string): Held {
  const cut = trim(cell);
  if (cut === '') return { kind: 'empty' };
  if (cut.length > CELL_MAX) return addressesIn(cut).length > 1 ? SEVERAL : NONE;
  const bare = bareOf(AS_TEXT.exec(cut)?.[1] ?? cut).replace(BULLET, '');
  const text = plain(IN_BRACKETS.exec(bare)?.[1] ?? IN_JSON.exec(bare)?.[1] ?? bare);
  if (ADDRESS.test(text)) return heldAddress(text, true);
  const [one, ...others] = addressesIn(text);
  if (others.length > 0) return SEVERAL;
  // The same address twice counts once.
  if (one !== undefined) return heldAddress(one, true);
  const inside = plain(IN_OTHER_BRACKETS.exec(text)?.[1] ?? BEFORE_BRACKETS.exec(text)?.[1] ?? text);
  return NEARLY.test(inside) ? heldAddress(inside, false) : NONE;
}

function heldAddress(email: string, isSure: boolean): Held {
  return email.length > LENGTH_MAX ? NONE : { kind: 'address', email, isSure };
}

/** Without stray marks, and what stands around it. */
function bareOf(text: string): string {
  return trim(UNSEPARATED.exec(withoutStrayMarks(text))?.[0] ?? '');
}

/** Without quotation marks, a label such as `mailto:`, and a guard. */
function plain(text: string): string {
  const bare = bareOf(text);
  const unquoted = QUOTED.exec(bare)?.[1] ?? bare;
  const labelled = LABEL.exec(unquoted)?.[1] ?? unquoted;
  return (LINKED.test(unquoted) ? decoded(labelled) : labelled).replace(APOSTROPHE, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The different addresses in a cell that is not one itself; none if it has but one @. */
function addressesIn(cell: string): readonly string[] {
  if (cell.indexOf('@') === cell.lastIndexOf('@')) return [];
  return different(piecesOf(cell).filter((piece) => ADDRESS.test(piece)));
}

/**
 * The different addresses in text that was typed or pasted, as each is first written: in running text, in rows of a table, in
 * links. Also those with a typing error: the service says what is wrong.
 */
export function addressesInText(text: string): readonly string[] {
  const quoted = Array.from(text.matchAll(QUOTED_LOCAL), ([piece]) => piece);
  const rest = quoted.length === 0 ? text : text.replaceAll(QUOTED_LOCAL, ' ');
  const pieces = [...quoted, ...piecesOf(rest).map((piece) => AFTER_DOMAIN.exec(piece)?.[1] ?? piece)];
  return different(pieces.filter((piece) => piece.length <= LENGTH_MAX && NEARLY.test(piece)));
}

function piecesOf(text: string): readonly string[] {
  const pieces = withoutStrayMarks(text).split(BETWEEN);
  return pieces
    .filter((piece) => piece.includes('@') && !LINK.test(piece))
    .flatMap((piece) => (ADDRESS.test(plain(piece)) ? piece : piece.split(BETWEEN_TWO)))
    .map(plain);
}

function different(emails: readonly string[]): readonly string[] {
  const first = new Map<string, string>();
  for (const email of emails) {
    const identity = email.toLowerCase().normalize('NFC');
    if (!first.has(identity)) first.set(identity, email);
  }
  return [...first.values()];
}

/** Whether a cell is surely an address; only the service knows whether it is valid. */
export function looksLikeAddress(cell: string): boolean {
  const held = heldIn(cell);
  return held.kind === 'address' && held.isSure;
}

export function holdsAddresses(cell: string): boolean {
  return heldIn(cell).kind === 'several' || looksLikeAddress(cell);
}

/**
 * What a row holds. An unquoted comma (`Lee, Ann`) shifts the cells after it: in a row with more cells than the list has
 * columns, the only cell that looks like an address is used.
 * @param column of the addresses
 * @param width number of columns
 */
export function heldInRow(cells: readonly string[], column: number, width: number): Held {
  const held = heldIn(cells[column] ?? '');
  if (cells.length <= width || (held.kind === 'address' && held.isSure)) return held;
  const [moved, ...others] = cells.slice(column).filter(looksLikeAddress);
  return moved !== undefined && others.length === 0 ? heldIn(moved) : held;
}

/** Every address in the cell of a row, also where it has several. */
export function addressesInRow(cells: readonly string[], column: number, width: number): readonly string[] {
  const held = heldInRow(cells, column, width);
  if (held.kind === 'address') return [held.email];
  return held.kind === 'several' ? addressesInText(cells[column] ?? '') : [];
}
