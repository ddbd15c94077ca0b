import { verifyRequestSchema } from '../../schema/api.ts';
import { RequestError } from '../../schema/errors.ts';
import { sortEntries, type Entries } from './entries.ts';

/**
 * Entries that are not strings are echoed, and writing JSON takes stack for each level; real entries are far shallower
 * than this, and the stack holds far more.
 */
const DEPTH_MAX = 100;

/** What such a number may look like. Nearly all bodies contain none and are spared a call for each value. */
const BEYOND_DOUBLE = /\d{16}|\d[eE]/;

declare global {
  interface JSON {
    /** From ECMAScript 2026, not yet in TypeScript's library: written out as this very text. */
    rawJSON(text: string): object;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Reads the entries from the bytes of a verify request. Any content type is read as JSON. Pure.
 * @param contentEncoding the header of that name, null if there is none
 * @throws RequestError INVALID_INPUT, TOO_MANY
 */
export function validate(bytes: Uint8Array, contentEncoding: string | null, maxAddresses: number): Entries {
  const body = verifyRequestSchema.safeParse(parseJson(decode(bytes, contentEncoding)));
  if (!body.success) throw invalid('The body must be an object with "emails", an array of at least one address.');
  const { emails } = body.data;
  if (emails.length > maxAddresses)
    throw new RequestError('TOO_MANY', `${emails.length} entries; at most ${maxAddresses} are allowed in one request.`);
  if (emails.some((entry) => isDeeperThan(entry, DEPTH_MAX)))
    throw invalid(`An entry of "emails" is nested more than ${DEPTH_MAX} levels deep.`);
  return sortEntries(emails);
}

function decode(bytes: Uint8Array, contentEncoding: string | null): string {
  if (contentEncoding !== null && contentEncoding.trim().toLowerCase() !== 'identity')
    throw invalid('Content-Encoding is not supported: send the body as it is.');
  if (bytes.byteLength === 0) throw invalid('The body is missing.');
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid('The body is not UTF-8.');
  }
}

function parseJson(text: string): unknown {
  try {
    return BEYOND_DOUBLE.test(text) ? JSON.parse(text, keepNumber) : JSON.parse(text);
  } catch {
    throw invalid('The body is not JSON.');
  }
}

/** A number that a double cannot hold stays text, so that its echo is what was submitted. */
function keepNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  const isKept = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isKept ? value : JSON.rawJSON(context.source);
}

/** Not recursive, because depth is what it guards against. */
function isDeeperThan(entry: unknown, levels: number): boolean {
  let layer: unknown[] = [entry];
  for (let level = 0; layer.length > 0; level += 1) {
    if (level > levels) return true;
    layer = layer.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}

function invalid(message: string): RequestError {
  return new RequestError('INVALID_INPUT', message);
}
