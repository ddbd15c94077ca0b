/** RFC 7240 §4.3: delta-seconds. */
const WAIT = /^wait\s*=\s*(?:(\d{1,6})|"(\d{1,6})")$/i;

/**
 * How long the caller is willing to wait for its answer, in seconds (`Prefer: wait=N`, RFC 7240). Null if it does not
 * say, or the value cannot be used: a preference that is not understood is ignored. The first one counts.
 * @param prefer the header, null if there is none
 * @param mostS the most that a request may take
 */
export function readWaitS(prefer: string | null, mostS: number): number | null {
  for (const preference of (prefer ?? '').split(',')) {
    const [token = ''] = preference.split(';');
    const [, plain, quoted] = WAIT.exec(token.trim()) ?? [];
    const seconds = plain ?? quoted;
    if (seconds !== undefined) return Number(seconds) >= 1 && Number(seconds) <= mostS ? Number(seconds) : null;
  }
  return null;
}
