/** The longest wait that is respected. */
const REST_MOST_MS = 300_000;

/**
 * How long a response asks to wait, in milliseconds; 0: not said. `Retry-After` has seconds, as the service writes it, or from
 * a gateway a date, which is compared with the date of the response.
 * @param wallMs the time here, where a response has no date
 */
export function readRetryAfterMs(headers: Headers, wallMs: number): number {
  const seconds = readCount(headers, 'retry-after');
  const waitMs =
    seconds === null
      ? (readDate(headers, 'retry-after') ?? 0) - (readDate(headers, 'date') ?? wallMs)
      : seconds * 1_000;
  return Math.max(0, Math.min(waitMs, REST_MOST_MS));
}

const DATE = /^[A-Z][a-z]{2,8},? [\w :-]{15,30}$/;

/** An HTTP date (RFC 9110, 5.6.7), which is in GMT in each of its three forms; null for anything else. */
function readDate(headers: Headers, name: string): number | null {
  const text = headers.get(name) ?? '';
  const ms = DATE.test(text) ? Date.parse(text.replace(/(?: GMT)?$/, ' GMT')) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** The service's name for the request, to quote to its operator; null for anything that is none. */
export function readRequestId(headers: Headers): string | null {
  const text = headers.get('rcpt-request-id') ?? '';
  return /^[\w.-]{1,64}$/.test(text) ? text : null;
}

/** A number of digits only; null for anything else. */
export function readCount(headers: Headers, name: string): number | null {
  const text = headers.get(name) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
