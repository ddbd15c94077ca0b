import { FIELDS, type Field, type FieldName } from '../../words/fields.ts';
import { namesOf } from '../../words/open.ts';
import type { OpenResult } from '../../words/result.ts';

// One line of an answer, proven before anything believes it. What a newer service adds is kept: fields, words, and lines
// of another kind, which have neither an `index` nor a `done`.

export type Line =
  | { readonly kind: 'element'; readonly index: number; readonly result: OpenResult }
  /** The last one: what the request cost, and what was taken for it and given back. */
  | { readonly kind: 'closing'; readonly charged: number; readonly returned: number }
  | { readonly kind: 'other'; readonly line: OtherLine }
  | { readonly kind: 'not_known' };

/** A line that is neither a result nor the bill, as it was sent. */
export type OtherLine = Readonly<Record<string, unknown>>;

/** A word of the contract, or one that a newer service has added, however that is spelled: a line, and not blank. */
const WORD = /^(?=.*\S)\P{Cc}{1,256}$/u;
const NAMES = namesOf(FIELDS);
const LATER = NAMES.filter((name) => isLater(FIELDS[name]));

/** Whether the value is of the field's kind. Bounds are the service's to widen, those of a score apart. */
function isOf(field: Field, value: unknown): boolean {
  if (value === null) return field.nullable;
  switch (field.kind) {
    case 'text':
      return typeof value === 'string';
    case 'word':
      return typeof value === 'string' && WORD.test(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'whole':
      return isCount(value) && (field !== FIELDS.score || value <= field.most);
    case 'texts':
      return Array.isArray(value) && value.every((one) => typeof one === 'string');
  }
}

const NOT_KNOWN: Line = { kind: 'not_known' };

/** Reads one line without its line feed. Pure. */
export function readLine(text: string): Line {
  const line = parseRecord(text);
  if (line === null) return NOT_KNOWN;
  const { index, ...fields } = line;
  const { done, charged, returned } = fields;
  if (done === true && isCount(charged) && isCount(returned)) return { kind: 'closing', charged, returned };
  if (index === undefined && done === undefined) return { kind: 'other', line };
  const result = readResult(fields);
  return isCount(index) && result !== null ? { kind: 'element', index, result } : NOT_KNOWN;
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

/**
 * A result as a service or a journal has it, with what a newer one adds; null for anything else.
 * @param later fields that an older one does not have: they are null
 */
export function readResult(value: unknown, later: readonly FieldName[] = LATER): OpenResult | null {
  if (!isRecord(value)) return null;
  const result = later.length === 0 ? value : { ...Object.fromEntries(later.map((name) => [name, null])), ...value };
  return isResult(result) ? result : null;
}

function isResult(value: Record<string, unknown>): value is Record<string, unknown> & OpenResult {
  return NAMES.every((name) => isOf(FIELDS[name], value[name]));
}

function isLater(field: Field): boolean {
  return field.isLater === true && field.nullable;
}
