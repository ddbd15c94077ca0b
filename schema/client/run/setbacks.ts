import type { RcptError } from '../base/errors.ts';
import type { Entry } from '../list/entry.ts';
import type { Room } from './queue.ts';

/** What a request may hold unless the service says less: entries, and bytes of JSON. */
const ENTRIES_MAX = 500;
export const BODY_BYTES_MAX = 51_200;

/** `rest`: before the next request, because this many in a row went wrong. `fail`: nothing more is asked. */
export type Remedy = { readonly kind: 'go_on' | 'fail' } | { readonly kind: 'rest'; readonly failures: number };

type Counted = Pick<Entry<unknown>, 'bytes'> & { failures: number; failedAt: number };

/** What the requests of one run that went wrong mean for the next ones. */
export class Setbacks {
  readonly #maxRetries: number;
  readonly #divides: boolean;
  #room: Room = { entries: ENTRIES_MAX, bytes: BODY_BYTES_MAX };
  /** Requests that learnt something. */
  #fruitful = 0;

  /** @param divides whether what one request cannot hold may go into several */
  constructor(maxRetries: number, divides: boolean) {
    this.#maxRetries = maxRetries;
    this.#divides = divides;
  }

  /** What the next request may hold. */
  get room(): Room {
    return this.#room;
  }

  noteFruitful(): void {
    this.#fruitful += 1;
  }

  /** @param rest those of its entries that were not answered; they count it */
  remedyFor(error: RcptError, chunk: readonly Counted[], rest: readonly Counted[]): Remedy {
    const smaller = this.#divides && chunk.length > 1 ? shrink(this.#room, error, chunk) : null;
    if (smaller !== null) {
      this.#room = smaller;
      return { kind: 'go_on' };
    }
    if (!error.retryable) return { kind: 'fail' };
    if (rest.length === chunk.length) for (const entry of rest) this.#count(entry, error.status === 429);
    const failures = Math.max(0, ...rest.map((entry) => entry.failures));
    return failures > this.#maxRetries ? { kind: 'fail' } : { kind: 'rest', failures: Math.max(1, failures) };
  }

  /** Counts a request that learnt nothing. While others are answered, a full window is a matter of waiting. */
  #count(entry: Counted, isWindowFull: boolean): void {
    const isTurnOfOthers = isWindowFull && this.#fruitful > entry.failedAt;
    entry.failures = isTurnOfOthers ? 1 : entry.failures + 1;
    entry.failedAt = this.#fruitful;
  }
}

/** What a request may hold after one that was too much: half of it. Null: it was not. */
function shrink(room: Room, { code, status }: RcptError, chunk: readonly Counted[]): Room | null {
  if (code === 'TOO_MANY') return { ...room, entries: Math.min(room.entries, Math.ceil(chunk.length / 2)) };
  if (status !== 413) return null;
  const bytes = chunk.reduce((sum, entry) => sum + entry.bytes, 0);
  return { ...room, bytes: Math.min(room.bytes, Math.ceil(bytes / 2)) };
}
