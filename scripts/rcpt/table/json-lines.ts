import { Failure } from '../failure/failure.ts';
import { linesOf } from './lines.ts';
import type { Row } from './table.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * JSONL: one object a line; blank lines are skipped.
 * @param names of the columns: keys that are new are added
 * @throws Failure for a line that is no JSON object
 */
export async function* readJsonLines(text: AsyncIterable<string>, names: string[], name: string): AsyncGenerator<Row> {
  const places = new Map(names.map((key, index) => [key, index]));
  let line = 0;
  for await (const raw of linesOf(text, name)) {
    line += 1;
    if (raw.trim() === '') continue;
    const object = parseObject(raw);
    if (object === null) throw new Failure('input', `${name}, line ${line}: expected a JSON object.`);
    const cells: string[] = [];
    for (const [key, value] of Object.entries(object)) {
      let place = places.get(key);
      if (place === undefined) {
        place = names.push(key) - 1;
        places.set(key, place);
      }
      cells[place] = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
    }
    yield { line, cells: Array.from(cells, (cell) => cell ?? ''), raw };
  }
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
/** A double keeps so many digits of any number. */
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
