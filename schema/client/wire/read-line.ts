import { FIELDS, type Field } from '../../words/fields.ts';
import { namesOf } from '../../words/open.ts';
import type { OpenResult } from '../../words/result.ts';

// One line of a response, checked before anything believes it. Fields and words that a newer service adds are kept.

/** Null: neither a result nor the bill. */
export type Line =
  | { readonly kind: 'element'; readonly index: number; readonly result: OpenResult }
  /** The last one: the bill. */
  | { readonly kind: 'closing'; readonly charged: number; readonly returned: number }
  | null;

/** A word of the contract, or of a newer service: one line, and not blank. */
const WORD = /^(?=.*\S)\P{Cc}{1,256}$/u;
/** A terminal obeys control characters. */
const CONTROL = /\p{Cc}/u;
const NAMES = namesOf(FIELDS);

/** Whether the value is of the field's kind. The service may widen bounds, except those of the score. */
function isOf(field: Field, value: unknown): boolean {
  if (value === null) return field.nullable;
  switch (field.kind) {
    case 'text':
      // The entry itself comes back as it was sent.
      return typeof value === 'string' && (field === FIELDS.email || !CONTROL.test(value));
    case 'word':
      return typeof value === 'string' && WORD.test(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'whole':
      return isCount(value) && (field !== FIELDS.score || value <= field.most);
    case 'texts':
      return Array.isArray(value) && value.every((one) => typeof one === 'string' && !CONTROL.test(one));
  }
}

/** Reads one line without its line feed. Pure. */
export function readLine(text: string): Line {
  const line = parseRecord(text);
  if (line === null) return null;
  const { index, ...fields } = line;
  const { done, charged, returned } = fields;
  if (done === true && isCount(charged) && isCount(returned)) return { kind: 'closing', charged, returned };
  const result = readResult(fields);
  return isCount(index) && result !== null ? { kind: 'element', index, result } : null;
}

/** A JSON object, or null for anything else. */
export function parseRecord(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A whole number from 0. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** A result of a service or a journal, with what a newer one adds; null for anything else. What an older one lacks is null. */
export function readResult(value: unknown): OpenResult | null {
  if (!isRecord(value)) return null;
  const absent = NAMES.filter((name) => FIELDS[name].nullable && value[name] === undefined);
  const result = { ...value, ...Object.fromEntries(absent.map((name) => [name, null])) };
  return isResult(result) ? result : null;
}

function isResult(value: Record<string, unknown>): value is Record<string, unknown> & OpenResult {
  return NAMES.every((name) => isOf(FIELDS[name], value[name]));
}
