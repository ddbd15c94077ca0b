/** How long a response asks to wait (`Retry-After` in seconds, as the service writes it), in milliseconds; 0: not said. */
export function readRetryAfterMs(headers: Headers | null): number {
  return headers === null ? 0 : (readCount(headers, 'retry-after') ?? 0) * 1_000;
}

/** A number of digits only; null for anything else. */
export function readCount(headers: Headers, name: string): number | null {
  const text = headers.get(name) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
