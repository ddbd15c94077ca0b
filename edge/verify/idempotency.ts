import { RequestError } from '../../schema/errors.ts';
import { ATTEMPTS_MAX, KEY_LENGTH_MAX } from '../../schema/words/idempotency.ts';
import type { Config } from '../base/config.ts';
import { keyedHash } from '../base/keyed-hash.ts';
import type { Idempotency } from '../ledger/attempt.ts';
import type { HoldAnswer } from '../ledger/hold.ts';

/** RFC 8941 §3.3.3, without parameters. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
const PRINTABLE = /^[ -~]+$/;

/**
 * Most requests end within seconds, but one whose Worker died is over only when its hold is. So a caller is told to
 * wait half as long as the other request has been in progress, and at most this long.
 */
const RETRY_MAX_S = 30;

const utf8 = new TextEncoder();
/** 128 bits: more than enough to tell apart the requests of one account in one day. */
const HASH_LENGTH = 22;
/** 48 bits: the lists of one account in one week. */
const LIST_LENGTH = 8;
/** Keys that differ only in the number at their end, like those of our clients, belong to one list. */
const OF_LIST = /^(.*\D)\d+$/;

/**
 * The key in an `Idempotency-Key` header: its text, or the string that it quotes.
 * @param header null if there is none
 * @returns null if there is none
 * @throws RequestError INVALID_INPUT
 */
export function readIdempotencyKey(header: string | null): string | null {
  if (header === null) return null;
  const isQuoted = header.startsWith('"');
  const key = isQuoted ? QUOTED.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1') : header;
  if (key === undefined || !PRINTABLE.test(key) || key.length > KEY_LENGTH_MAX)
    throw new RequestError(
      'INVALID_INPUT',
      `Idempotency-Key must be 1 to ${KEY_LENGTH_MAX} printable ASCII characters, bare or as one quoted string.`,
    );
  return key;
}

/**
 * How D1 identifies a request. A body could be guessed with a list of the world's addresses, and a key may be a name
 * known in a caller's own system: so both are hashed under a secret that D1 does not have. It is the oldest of those
 * that make the tags of API keys, which changes only when one is removed; no stem of a key contains a space, so a hash
 * is never a tag.
 */
export async function identify(
  header: string | null,
  body: Uint8Array,
  { KEY_SECRETS }: Pick<Config, 'KEY_SECRETS'>,
): Promise<Idempotency | null> {
  const key = readIdempotencyKey(header);
  if (key === null) return null;
  const secret = KEY_SECRETS.at(-1) ?? '';
  const before = utf8.encode(`idempotency body\n${key}\n`);
  const bytes = new Uint8Array(before.length + body.length);
  bytes.set(before);
  bytes.set(body, before.length);
  const name = OF_LIST.exec(key)?.[1];
  const [keyHash, bodyHash, list] = await Promise.all([
    keyedHash(`idempotency key\n${key}`, secret),
    keyedHash(bytes, secret),
    name === undefined ? null : keyedHash(`idempotency list\n${name}`, secret),
  ]);
  return {
    keyHash: keyHash.slice(0, HASH_LENGTH),
    bodyHash: bodyHash.slice(0, HASH_LENGTH),
    list: list?.slice(0, LIST_LENGTH) ?? null,
  };
}

type Refused = Extract<HoldAnswer, { readonly kind: 'in_progress' | 'another_body' | 'too_many_attempts' }>;

/** The refusal of a request whose Idempotency-Key does not allow it, or not now. */
export function refuseAttempt(refused: Refused): RequestError {
  switch (refused.kind) {
    case 'another_body':
      return new RequestError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used with another body.');
    case 'in_progress':
      return new RequestError('IDEMPOTENCY_IN_PROGRESS', 'A request with this Idempotency-Key is still in progress.', {
        'retry-after': String(Math.min(RETRY_MAX_S, Math.max(1, Math.ceil(refused.ageMs / 2_000)))),
      });
    case 'too_many_attempts':
      return new RequestError(
        'IDEMPOTENCY_EXHAUSTED',
        `${ATTEMPTS_MAX} requests have used this Idempotency-Key: no more are served under it.`,
        { 'retry-after': String(Math.max(1, Math.ceil(refused.leftMs / 1_000))) },
      );
  }
}
