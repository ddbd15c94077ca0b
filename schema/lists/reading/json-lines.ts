import { addressesInText, holdsAddresses } from '../columns/address.ts';
import type { CellKind, Row, Rows } from './row.ts';
import { UnreadableList } from './unreadable.ts';

// Text → rows, for JSON: one object a line, or all of them in one array (RFC 8259).

type JsonObject = Readonly<Record<string, unknown>>;

declare global {
  interface JSON {
    readonly rawJSON?: (text: string) => object;
    readonly isRawJSON?: (value: unknown) => boolean;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/** An array is in memory as a whole: a longer list has one object a line. */
const ARRAY_CHARACTERS_MAX = 50_000_000;
const FORMS = 'a list has one object a line, or all of them in one array';
/** An object with more addresses, and none of its own, is a list of another form; so is one with numbered objects or tables. */
const ONE_ROW_MOST = 2;
const IS_TABLE = /"\d+"\s*:|\[\s*\[/;
/** Enough to see that. */
const SHOWN_CHARACTERS = 65_536;
/** Objects around the array: answers of APIs have one or two. */
const DEPTH_MAX = 3;
const BATCH = 1_000;
/** Objects in an object whose members are columns of their own, as `properties.email`; what is deeper is a cell of JSON. */
const INNER_DEPTH_MAX = 4;
/** So many columns come of inner objects at most: some have another key in each row. */
const INNER_COLUMNS_MAX = 512;
/** Keys of all objects together: each row has a cell for each key up to its last, so that new ones in each row would square the cost. */
const COLUMNS_MAX = 1_024;

/** @param sample the beginning of a text */
export function isJsonArray(sample: string): boolean {
  return /^\s*\[\s*["{\]]/.test(sample);
}

/** Whether a text is one object rather than one a line: it goes on beyond its first line, or ends with it. @param sample its beginning */
export function isJsonObject(sample: string): boolean {
  const [first = '', ...others] = sample.trimStart().split('\n');
  return first.startsWith('{') && (others.every((line) => line.trim() === '') || parseObject(first) === null);
}

/**
 * One object a line; blank lines are skipped.
 * @param names of the columns: new keys are added
 * @throws UnreadableList for a line that is not an object
 */
export async function* readJsonLines(lines: AsyncIterable<readonly string[]>, names: string[]): Rows {
  const places = new Map(names.map((key, index) => [key, index]));
  let line = 0;
  for await (const batch of lines) {
    let rows: Row[] = [];
    for (const raw of batch) {
      line += 1;
      if (raw.trim() === '') continue;
      const object = parseObject(raw);
      if (object === null) throw new UnreadableList('damaged', `Line ${line} is not a JSON object: ${FORMS}.`);
      rows.push({ line, ...cellsOf(object, names, places), raw });
      if (rows.length < BATCH) continue;
      yield rows;
      rows = [];
    }
    if (rows.length > 0) yield rows;
  }
}

/**
 * One array of objects, or of addresses, alone or in an object: `{"emails":[…]}`, `{"data":{"members":[…]}}`.
 * @param names of the columns: new keys are added
 * @throws UnreadableList for anything else
 */
export async function* readJsonArray(text: AsyncIterable<string>, names: string[]): Rows {
  let all = '';
  for await (const piece of text) {
    all += piece;
    if (all.length > ARRAY_CHARACTERS_MAX)
      throw new UnreadableList('too large', 'The JSON array is too long. Save the list with one object a line.');
  }
  const value = parseJson(all);
  const elements = elementsOf(value);
  if (elements === null) throw new UnreadableList('damaged', `The file is not whole JSON: ${FORMS}.`);
  if (elements[0] === value && !holdsAddress(value)) {
    const start = all.slice(0, SHOWN_CHARACTERS);
    if (addressesInText(start).length > (IS_TABLE.test(start) ? 1 : ONE_ROW_MOST))
      throw new UnreadableList(
        'not a list',
        'This is one JSON object with many addresses: save it as one array, with an object for each row.',
      );
  }
  const places = new Map(names.map((key, index) => [key, index]));
  const rowOf = (element: unknown, index: number): Row => {
    const object = typeof element === 'string' ? { email: element } : element;
    const line = index + 1;
    if (!isObject(object))
      throw new UnreadableList('damaged', `Element ${line} is neither a JSON object nor an address: ${FORMS}.`);
    return { line, ...cellsOf(object, names, places), raw: JSON.stringify(object) };
  };
  for (let at = 0; at < elements.length; at += BATCH)
    yield elements.slice(at, at + BATCH).map((element, index) => rowOf(element, at + index));
}

/**
 * The elements of an array, or of the only array of addresses or objects in an object; of several, of the only one with addresses.
 * An object with an address of its own, or with no such array, is a list of itself. Null for anything else.
 */
function elementsOf(value: unknown, depth = 0): readonly unknown[] | null {
  if (Array.isArray(value)) return depth === 0 ? (onlyTableIn(value) ?? value) : value;
  if (!isObject(value)) return null;
  const members = Object.values(value);
  const itself = depth === 0 ? [value] : null;
  if (depth > DEPTH_MAX || holdsAddress(value)) return itself;
  const lists = members.flatMap((each) => {
    const list =
      Array.isArray(each) && !each.some((one) => isObject(one) || holdsAddress(one))
        ? null
        : elementsOf(each, depth + 1);
    return list === null ? [] : [list];
  });
  const holds = (one: unknown): boolean =>
    holdsAddress(one) || (isObject(one) && leavesOf(one).some(([, leaf]) => holdsAddress(leaf)));
  const [list, ...others] = lists.length > 1 ? lists.filter((each) => each.some(holds)) : lists;
  return list === undefined || others.length > 0 ? itself : list;
}

/** The rows of an export in which objects about it stand before the only one with an array of rows. */
function onlyTableIn(elements: readonly unknown[]): readonly unknown[] | null {
  if (!elements.every(isObject)) return null;
  const [table, ...others] = elements.filter((each) => Object.values(each).some(Array.isArray));
  const isAlone = table !== undefined && others.length === 0 && elements.length > 1;
  if (!isAlone || elements.some(holdsAddress)) return null;
  return elementsOf(table, 1);
}

/** Whether it is an address, or an object with one of its own. */
function holdsAddress(value: unknown): boolean {
  const members = isObject(value) ? Object.values(value) : [value];
  return members.some((each) => typeof each === 'string' && holdsAddresses(each));
}

/** @throws UnreadableList */
function cellsOf(object: JsonObject, names: string[], places: Map<string, number>): Pick<Row, 'cells' | 'kinds'> {
  const cells: string[] = [];
  const kinds: CellKind[] = [];
  for (const [key, value] of membersOf(object, places)) {
    let place = places.get(key);
    if (place === undefined) {
      if (names.length >= COLUMNS_MAX)
        throw new UnreadableList(
          'too large',
          `The objects have more than ${COLUMNS_MAX.toLocaleString('en')} different keys.`,
        );
      place = names.push(key) - 1;
      places.set(key, place);
    }
    cells[place] = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
    kinds[place] = isNumber(value) ? 'number' : typeof value === 'boolean' ? 'flag' : 'text';
  }
  return { cells: Array.from(cells, (cell) => cell ?? ''), kinds: Array.from(kinds, (kind) => kind ?? 'text') };
}

type Members = ReadonlyArray<readonly [key: string, value: unknown]>;

/** What gets columns: each member, and in place of an object its own members if there is room, in each reading alike. */
function membersOf(object: JsonObject, places: ReadonlyMap<string, number>): Members {
  const own = Object.entries(object);
  if (!own.some(([, value]) => isObject(value))) return own;
  const leaves = leavesOf(object);
  const isRoom = Math.max(places.size, leaves.length) <= INNER_COLUMNS_MAX;
  return isRoom || leaves.every(([key]) => places.has(key)) ? leaves : own;
}

function leavesOf(object: JsonObject, depth = 0): Members {
  return Object.entries(object).flatMap(([key, value]): Members => {
    const isInner = isObject(value) && !isNumber(value) && depth < INNER_DEPTH_MAX;
    const inner = isInner ? leavesOf(value, depth + 1) : [];
    return inner.length === 0 ? [[key, value]] : inner.map(([path, leaf]) => [`${key}.${path}`, leaf]);
  });
}

export function parseObject(text: string): JsonObject | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}

/** Undefined for what is not JSON. A number that JavaScript would change stays the text that it is. @throws UnreadableList */
function parseJson(text: string): unknown {
  const { rawJSON } = JSON;
  if (rawJSON === undefined)
    throw new UnreadableList('not a list', 'This browser is too old for JSON: save the list as CSV.');
  const exact = (_key: string, value: unknown, { source = '' }: { readonly source?: string }): unknown =>
    typeof value === 'number' && String(value) !== source ? rawJSON(source) : value;
  try {
    return JSON.parse(text, exact);
  } catch {
    return undefined;
  }
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || JSON.isRawJSON?.(value) === true;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
