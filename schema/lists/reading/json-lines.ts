import type { CellKind, Row, Rows } from './row.ts';
import { UnreadableList } from './unreadable.ts';

// Text → rows, for JSONL.

type JsonObject = Readonly<Record<string, unknown>>;

const EXPECTED = {
  Line: 'is not a JSON object: a list has one object a line, or all of them in one array.',
  Element: 'is neither a JSON object nor an address.',
} as const;

/**
 * One object a line; blank lines are skipped.
 * @param text one JSON value each
 * @param names of the columns: keys that are new are added
 * @param unit what a value is called in errors
 * @throws UnreadableList for a value that is not an object
 */
export async function* readJsonLines(
  text: AsyncIterable<readonly string[]>,
  names: string[],
  unit: keyof typeof EXPECTED = 'Line',
): Rows {
  const places = new Map(names.map((key, index) => [key, index]));
  let line = 0;
  for await (const lines of text) {
    const rows: Row[] = [];
    for (const raw of lines) {
      line += 1;
      if (raw.trim() === '') continue;
      const object = parseObject(raw);
      if (object === null) throw new UnreadableList('damaged', `${unit} ${line} ${EXPECTED[unit]}`);
      rows.push({ line, ...cellsOf(object, names, places), raw });
    }
    if (rows.length > 0) yield rows;
  }
}

function cellsOf(object: JsonObject, names: string[], places: Map<string, number>): Pick<Row, 'cells' | 'kinds'> {
  const cells: string[] = [];
  const kinds: CellKind[] = [];
  for (const [key, value] of Object.entries(object)) {
    let place = places.get(key);
    if (place === undefined) {
      place = names.push(key) - 1;
      places.set(key, place);
    }
    cells[place] = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
    kinds[place] = typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'flag' : 'text';
  }
  return { cells: Array.from(cells, (cell) => cell ?? ''), kinds: Array.from(kinds, (kind) => kind ?? 'text') };
}

/** A JSON object, or null. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const STRINGS = /"(?:[^"\\]|\\.)*"/g;
const NUMBERS = /-?\d[\d.eE+-]*/g;
/** A double keeps this many digits of any number. */
const DIGITS_KEPT = 15;

/** Whether JavaScript would write a number in this JSON otherwise than it stands, with fewer digits or as none. */
export function losesDigits(json: string): boolean {
  return (json.replaceAll(STRINGS, '').match(NUMBERS) ?? []).some((text) => {
    const [mantissa = ''] = text.split(/[eE]/);
    const value = Number(text);
    if (!Number.isFinite(value) || (value === 0 && /[1-9]/.test(mantissa))) return true;
    return mantissa.replaceAll(/\D/g, '').length > DIGITS_KEPT && String(value) !== text;
  });
}

/** @throws UnreadableList for a row of JSON with a number that would be written otherwise than it stands */
export function refuseInexact({ raw, line }: Row): void {
  if (raw === null || !losesDigits(raw)) return;
  throw new UnreadableList(
    'inexact',
    `Line ${line} has a number with more digits than can be kept: choose an output in JSONL.`,
  );
}
