// `Idempotency-Key` on POST verify (draft-ietf-httpapi-idempotency-key-header): what callers and the service count by.

/** Characters of a key. */
export const KEY_LENGTH_MAX = 255;
/** Requests that are served under one key. */
export const ATTEMPTS_MAX = 10;
/** How long a key is remembered, from its first request on. */
export const KEPT_HOURS = 24;
