/** What a window of the key has left, and for how many seconds it lasts. */
export type Window = { readonly limit: number; readonly remaining: number; readonly resetS: number };

const NAMES = ['limit', 'remaining', 'reset'] as const;
/** One number of the single `RateLimit` header, in the words of either draft: `reset=30` or `;t=30`. */
const NUMBERS = {
  limit: /(?:^|[,;\s])limit=(\d{1,9})(?=[,;\s]|$)/i,
  remaining: /(?:^|[,;\s])(?:remaining|r)=(\d{1,9})(?=[,;\s]|$)/i,
  reset: /(?:^|[,;\s])(?:reset|t)=(\d{1,9})(?=[,;\s]|$)/i,
} as const;
const QUOTA = /;\s*q=(\d{1,9})(?=[,;\s]|$)/i;

/**
 * The window that an answer tells: in the service's headers `RateLimit-Limit`, `-Remaining` and `-Reset`, or in the single
 * `RateLimit` header of later drafts (draft-ietf-httpapi-ratelimit-headers), which a gateway on the way may send instead.
 * Null if there is none, or it makes no sense.
 */
export function readWindow(headers: Headers): Window | null {
  const [limit, remaining, resetS] = NAMES.map((name) => readCount(headers.get(`ratelimit-${name}`)));
  if (typeof limit === 'number' && typeof remaining === 'number' && typeof resetS === 'number')
    return { limit, remaining, resetS };
  return readSingle(headers.get('ratelimit') ?? '', headers.get('ratelimit-policy') ?? '');
}

function readSingle(text: string, policy: string): Window | null {
  const [limit, remaining, resetS] = NAMES.map((name) => readCount(NUMBERS[name].exec(text)?.[1] ?? null));
  if (typeof remaining !== 'number' || typeof resetS !== 'number') return null;
  return { limit: limit ?? readCount(QUOTA.exec(policy)?.[1] ?? null) ?? Math.max(1, remaining), remaining, resetS };
}

/** Seconds or a number of requests: digits only. */
export function readCount(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
