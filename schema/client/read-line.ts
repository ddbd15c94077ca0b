import { REASONS, RESULTS, STATUSES, type VerificationResult } from './results.ts';

// One line of an answer, proven before anything believes it. Fields that a newer service adds are kept.

export type Line =
  | { readonly kind: 'element'; readonly index: number; readonly result: VerificationResult }
  /** The last one: what the request cost, and what was taken for it and given back. */
  | { readonly kind: 'closing'; readonly charged: number; readonly returned: number }
  | { readonly kind: 'not_known' };

type Holds = (value: unknown) => boolean;

const isText: Holds = (value) => typeof value === 'string';
const isTruth: Holds = (value) => typeof value === 'boolean';
const among =
  (words: readonly string[]): Holds =>
  (value) =>
    typeof value === 'string' && words.includes(value);
const orNull =
  (holds: Holds): Holds =>
  (value) =>
    value === null || holds(value);

const FIELDS: { readonly [Field in keyof VerificationResult]: Holds } = {
  email: isText,
  result: among(RESULTS),
  status: among(STATUSES),
  score: (value) => isCount(value) && value <= 100,
  catch_all: isTruth,
  reason: orNull(among(REASONS)),
  retry_after: orNull(isCount),
  smtp_code: orNull(isCount),
  smtp_enhanced_code: orNull(isText),
  syntax: isTruth,
  mx_found: isTruth,
  smtp_check: isTruth,
  disposable: isTruth,
  role_based: isTruth,
  free_provider: isTruth,
  did_you_mean: orNull(isText),
  mx_records: (value) => Array.isArray(value) && value.every(isText),
};

const PROOFS = Object.entries(FIELDS);
const NOT_KNOWN: Line = { kind: 'not_known' };

/** Reads one line without its line feed. Pure. */
export function readLine(text: string): Line {
  const line = parseRecord(text);
  if (line === null) return NOT_KNOWN;
  const { index, done, charged, returned, ...rest } = line;
  if (done === true && isCount(charged) && isCount(returned)) return { kind: 'closing', charged, returned };
  if (!isCount(index) || !isResult(rest)) return NOT_KNOWN;
  return { kind: 'element', index, result: rest };
}

/** A JSON object, or null for whatever else it is. */
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

export function isResult(value: unknown): value is VerificationResult {
  return isRecord(value) && PROOFS.every(([name, holds]) => holds(value[name]));
}
