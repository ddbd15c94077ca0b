import { RequestError } from '../../schema/errors.ts';
import type { Counts } from '../ledger/usage.ts';
import { countReasons, type ReasonCounts } from './analytics.ts';
import type { Entries } from './entries.ts';
import { type AddressEvidence, type Element, isFailure, judgeSlot } from './judge.ts';
import { chargedOf } from './price.ts';
import type { Evidence } from '../../schema/evidence.ts';
import type { AddressIndex, SlotIndex } from '../base/indexes.ts';
import { pause } from '../base/pause.ts';
import { isTaken } from './taken.ts';

const utf8 = new TextEncoder();
/** How long such a reset takes. */
const RESET_MS = 10;

/** What an answer is made from: a batch in progress. */
export type Delivery = {
  readonly entries: Entries;
  /** The elements that a credit each is held for; none for a test key. */
  readonly due: ReadonlySet<SlotIndex>;
  readonly news: AsyncIterable<readonly AddressEvidence[]>;
  /** Fires when the caller disconnects. */
  readonly gone: AbortSignal;
  /** When a caller that chose its own deadline is answered, by the Worker's clock; null if it chose none. */
  readonly hurriedMs: number | null;
  /** Until when an answer that is being read may be written, by the Worker's clock. */
  readonly writtenByMs: number;
};

/**
 * Answers a batch and says what it cost. `answer` is called once, or never if the caller disconnected.
 * @throws RequestError INTERNAL_ERROR if nothing was learnt about any address, though there was time
 */
export type Deliver = (delivery: Delivery, answer: (response: Response) => void) => Promise<Delivered>;

/**
 * `charged`: what was delivered and costs its credit; the rest is refunded. `counts`, `reasons`: results, one per slot.
 */
export type Delivered = {
  readonly charged: readonly SlotIndex[];
  readonly counts: Counts;
  readonly reasons: ReasonCounts;
};

export const NOTHING_DELIVERED: Delivered = {
  charged: [],
  counts: { valid: 0, risky: 0, invalid: 0, unknown: 0 },
  reasons: {},
};

/** Elements by status, leaving out those that are not results. Pure. */
export function countElements(elements: readonly Element[], before: Counts = NOTHING_DELIVERED.counts): Counts {
  const counts = { ...before };
  for (const element of elements) if ('status' in element) counts[element.status] += 1;
  return counts;
}

/** Hands a JSON text to a caller. @returns whether the caller was there until it counts as delivered */
type HandOver = (
  body: string,
  headers: Readonly<Record<string, string>>,
  delivery: Delivery,
  answer: (response: Response) => void,
) => Promise<boolean>;

/**
 * The whole answer at once, as JSON.
 * @param shape from the elements, in the order of the entries, to the body
 * @param handOver by default it counts as delivered when the complete body is handed to the runtime while the caller is
 * still connected
 */
export function deliverWhole(
  shape: (elements: readonly Element[]) => unknown,
  handOver: HandOver = allAtOnce,
): Deliver {
  return async (delivery, answer) => {
    const { entries, due } = delivery;
    const known = new Map<AddressIndex, Evidence>();
    for await (const news of delivery.news) for (const { address, evidence } of news) known.set(address, evidence);
    if (delivery.gone.aborted) return NOTHING_DELIVERED;
    if (isFailure(entries, known) && hadTime(delivery)) throw verificationFailed();
    const elements = entries.slots.map((slot) => judgeSlot(slot, known));
    const charged = chargedOf(entries.slots, known, due);
    const headers = {
      'content-type': 'application/json',
      'rcpt-charged': String(charged.length),
      'rcpt-returned': String(due.size - charged.length),
    };
    if (!(await handOver(JSON.stringify(shape(elements)), headers, delivery, answer))) return NOTHING_DELIVERED;
    return { charged, counts: countElements(elements), reasons: countReasons(elements) };
  };
}

const allAtOnce: HandOver = async (body, headers, _delivery, answer) => {
  answer(new Response(body, { headers }));
  return true;
};

/**
 * Its first byte ahead of the rest: a connection that its caller has closed, as browsers do, looks open until something
 * is written to it and it answers with a reset. Only for a body so short that nobody can read most of it and leave.
 */
export const byteAhead: HandOver = async (body, headers, { gone, writtenByMs }, answer) => {
  const bytes = utf8.encode(body);
  const { readable, writable } = new FixedLengthStream(bytes.length);
  answer(new Response(readable, { headers }));
  const writer = writable.getWriter();
  if (await isTaken(writer.write(bytes.subarray(0, 1)), writtenByMs, gone)) {
    await pause(RESET_MS);
    const rest = Promise.all([writer.write(bytes.subarray(1)), writer.close()]);
    if (await isTaken(rest, writtenByMs, gone)) return true;
  }
  writer.abort().catch(() => {});
  return false;
};

/**
 * Whether the batch had its full time, not a deadline that its caller chose: otherwise learning nothing is no failure.
 */
export function hadTime({ hurriedMs }: Delivery): boolean {
  return hurriedMs === null || Date.now() < hurriedMs;
}

export function verificationFailed(cause?: unknown): RequestError {
  return new RequestError(
    'INTERNAL_ERROR',
    'The verification failed on our side. This request costs nothing.',
    {},
    cause,
  );
}
