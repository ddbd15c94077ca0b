const LINES = 'application/x-ndjson';
/** What matches the plain array, the most specific first (RFC 9110 §12.5.1). */
const ARRAY = ['application/json', 'application/*', '*/*'] as const;

/** RFC 9110 §12.4.2. */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Whether the caller asks for the elements one by one, as they become known: it names the line format and does not
 * prefer the array. A wildcard does not count.
 * @param accept the header, null if there is none
 */
export function wantsLines(accept: string | null): boolean {
  if (accept === null) return false;
  const weights = new Map(accept.split(',').map(readRange));
  const lines = weights.get(LINES) ?? 0;
  const closest = ARRAY.find((range) => weights.has(range));
  return lines > 0 && lines >= (closest === undefined ? 0 : (weights.get(closest) ?? 0));
}

/** One range with its weight: 1 by default, 0 if it is malformed. */
function readRange(text: string): readonly [range: string, weight: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [range, weight === undefined ? 1 : Number(WEIGHT.exec(weight)?.[1] ?? 0)];
}
