import { RequestError } from '../../schema/errors.ts';
import type { Counts } from '../ledger/usage.ts';
import { countReasons } from './analytics.ts';
import { deadlineMsOf, type Delivered, type Held, isHurried, NOTHING_DELIVERED, writtenByMsOf } from './batch.ts';
import { type AddressEvidence, type Element, isFailure, judgeSlot } from './judge.ts';
import { chargedOf } from './price.ts';
import type { Evidence } from '../../schema/evidence.ts';
import type { AddressIndex } from '../base/indexes.ts';
import { pause } from '../base/pause.ts';
import { isTaken } from './taken.ts';

const utf8 = new TextEncoder();
/** How long such a reset takes. */
const RESET_MS = 10;

/**
 * Answers a batch and says what it cost. `answer` is called once, or never if the caller disconnected.
 * @param news evidence as it arrives
 * @throws RequestError INTERNAL_ERROR if nothing was learnt about any address, though there was time
 */
export type Deliver = (
  batch: Held,
  news: AsyncIterable<readonly AddressEvidence[]>,
  answer: (response: Response) => void,
) => Promise<Delivered>;

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
  batch: Held,
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
  return async (batch, news, answer) => {
    const { call, entries, due } = batch;
    const known = new Map<AddressIndex, Evidence>();
    for await (const some of news) for (const { address, evidence } of some) known.set(address, evidence);
    if (call.request.signal.aborted) return NOTHING_DELIVERED;
    if (isFailure(entries, known) && hadTime(batch)) throw verificationFailed();
    const elements = entries.slots.map((slot) => judgeSlot(slot, known));
    const charged = chargedOf(entries.slots, known, due);
    const headers = {
      'content-type': 'application/json',
      'rcpt-charged': String(charged.length),
      'rcpt-returned': String(due.size - charged.length),
    };
    if (!(await handOver(JSON.stringify(shape(elements)), headers, batch, answer))) return NOTHING_DELIVERED;
    return { charged, counts: countElements(elements), reasons: countReasons(elements), isWhole: true };
  };
}

const allAtOnce: HandOver = async (body, headers, _batch, answer) => {
  answer(new Response(body, { headers }));
  return true;
};

/**
 * Its first byte ahead of the rest: a connection that its caller has closed, as browsers do, looks open until something
 * is written to it and it answers with a reset. Only for a body so short that nobody can read most of it and leave.
 */
export const byteAhead: HandOver = async (body, headers, { call }, answer) => {
  const { signal } = call.request;
  const byMs = writtenByMsOf(call);
  const bytes = utf8.encode(body);
  const { readable, writable } = new FixedLengthStream(bytes.length);
  answer(new Response(readable, { headers }));
  const writer = writable.getWriter();
  if (await isTaken(writer.write(bytes.subarray(0, 1)), byMs, signal)) {
    await pause(RESET_MS);
    const rest = Promise.all([writer.write(bytes.subarray(1)), writer.close()]);
    if (await isTaken(rest, byMs, signal)) return true;
  }
  writer.abort().catch(() => {});
  return false;
};

/**
 * Whether the batch had its full time, not a deadline that its caller chose: otherwise learning nothing is no failure.
 */
export function hadTime(batch: Held): boolean {
  return !isHurried(batch) || Date.now() < deadlineMsOf(batch);
}

export function verificationFailed(cause?: unknown): RequestError {
  return new RequestError(
    'INTERNAL_ERROR',
    'The verification failed on our side. This request costs nothing.',
    {},
    cause,
  );
}
