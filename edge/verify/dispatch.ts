import type { Call } from '../call.ts';
import type { FleetJob } from '../fleet/protocol.ts';
import { describe, log } from '../log.ts';
import { fleetOfBatch } from '../objects.ts';
import type { Entries } from './entries.ts';
import { FleetLines, type Found } from './fleet-lines.ts';

/** Asks a Fleet object, each time by a stub of its own. */
export type Ask = (job: FleetJob) => Promise<ReadableStream>;

export type Gathering = {
  readonly batchId: string;
  readonly account: string;
  readonly addresses: Entries['addresses'];
  /** When the batch must be answered, by the Worker's clock. */
  readonly deadlineMs: number;
  /** Fires when the caller has gone. */
  readonly gone: AbortSignal;
};

/** A Fleet object that was reset is asked once more under the same batch id; its hosts still have the evidence. */
const ASKS_MAX = 2;
const PAUSE_MS = 200;
/** Not worth asking again when less is left. */
const LEFT_MIN_MS = 1_000;

/** How the Fleet object of this batch is asked. */
export function fleetOf(call: Call): Ask {
  return (job) => fleetOfBatch(call, call.id).dispatch(job);
}

/**
 * Sends the addresses to the fleet and yields evidence as it comes, each address at most once. Ends when the fleet has
 * no more, at the deadline, or when the caller has gone; then the job is cancelled, and what has no evidence was not
 * probed. Also cancelled when the consumer stops early.
 */
export async function* gather(ask: Ask, gathering: Gathering): AsyncGenerator<readonly Found[], void> {
  const { batchId, account, addresses, deadlineMs, gone } = gathering;
  if (addresses.length === 0) return;
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const timer = setTimeout(end, deadlineMs - Date.now());
  gone.addEventListener('abort', end);
  if (gone.aborted) end();
  const lines = new FleetLines(addresses.length);
  try {
    for (let asks = 1; ; asks += 1) {
      const remainingMs = deadlineMs - Date.now();
      if (stop.signal.aborted || remainingMs <= 0) return;
      // Asked again, an object waits for the host that has the job to dial in before it gives it to another.
      const job: FleetJob = { v: 1, batchId, account, addresses, remainingMs, ...(asks > 1 ? { again: true } : {}) };
      const broken = yield* readAnswer(ask(job), lines, stop.signal);
      if (broken === null || lines.missing === 0 || stop.signal.aborted) return;
      log('warn', 'fleet_broke_off', { requestId: batchId, asks, missing: lines.missing, ...describe(broken.error) });
      if (asks === ASKS_MAX || isOverloaded(broken.error) || deadlineMs - Date.now() < LEFT_MIN_MS) return;
      await new Promise((wake) => setTimeout(wake, PAUSE_MS));
    }
  } finally {
    clearTimeout(timer);
    gone.removeEventListener('abort', end);
    if (lines.dropped > 0) log('warn', 'fleet_lines_dropped', { requestId: batchId, dropped: lines.dropped });
  }
}

/** @returns null where the answer came to its end or was stopped, else what broke it */
async function* readAnswer(
  asked: Promise<ReadableStream>,
  lines: FleetLines,
  signal: AbortSignal,
): AsyncGenerator<readonly Found[], { readonly error: unknown } | null> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  const stopped = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
  try {
    const stream = await Promise.race([asked, stopped]);
    if (stream === null) {
      asked.then(cancel, () => {});
      return null;
    }
    reader = stream.getReader();
    lines.restart();
    while (!lines.ended) {
      const chunk = await Promise.race([reader.read(), stopped]);
      if (chunk === null) return null;
      if (chunk.done) return { error: new Error('The stream ended before its last line') };
      const found = lines.take(chunk.value);
      if (found.length > 0) yield found;
    }
    return null;
  } catch (error) {
    return signal.aborted ? null : { error };
  } finally {
    // Tells the Fleet object to cancel; not waited for, and nothing to a stream that has ended.
    reader?.cancel().catch(() => {});
  }
}

function cancel(stream: ReadableStream): Promise<void> {
  return stream.cancel();
}

function isOverloaded(error: unknown): boolean {
  return error instanceof Error && 'overloaded' in error && error.overloaded === true;
}
