/** RFC 9110 §5.6.7, the form that senders must use: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
/** Whole seconds, or a part of one as some gateways write it. */
const SECONDS = /^\d{1,9}(?:\.\d{1,9})?$/;

/**
 * How long an answer asks to wait (`Retry-After`, RFC 9110 §10.2.3), in milliseconds; 0 if it does not say. A date is
 * measured by the answer's own clock if it has one.
 * @param nowMs this machine's clock, in milliseconds since 1970 UTC
 */
export function readRetryAfterMs(headers: Headers | null, nowMs: number): number {
  const text = headers?.get('retry-after') ?? '';
  if (SECONDS.test(text)) return Math.ceil(Number(text) * 1_000);
  const until = dateMs(text);
  if (until === null) return 0;
  return Math.max(0, until - (dateMs(headers?.get('date') ?? '') ?? nowMs));
}

function dateMs(text: string): number | null {
  const ms = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isFinite(ms) ? ms : null;
}
