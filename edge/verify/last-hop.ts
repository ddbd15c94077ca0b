/** The least time for an answer to go out: one quick trip says little about the next. */
export const LAST_HOP_LEAST_MS = 50;
/** A 402 waits half a second for what comes back: an answer's time and D1's trip have to fit into that. */
export const LAST_HOP_MOST_MS = 250;
/** A trip to D1 goes there and back. An answer goes one way, but behind everything else that the runtime has to send. */
const TRIPS = 2;

/**
 * How long an answer that was handed to the runtime gets to go out before its batch is charged. A Worker that dies in
 * between must not have charged for it, and its settlement races the answer: through the same runtime, at the same
 * load, over the way to D1. So the measure is what the batch's own hold took on that way. It is the edge's own: nothing
 * that a caller or a host says enters it, and a slow D1 makes it no longer than the bound.
 * @param tripMs from the hold's sending to its answer, by the Worker's clock, which may have been set in between
 */
export function lastHopMs(tripMs: number): number {
  const hopMs = TRIPS * tripMs;
  if (Number.isNaN(hopMs)) return LAST_HOP_MOST_MS;
  return Math.min(LAST_HOP_MOST_MS, Math.max(LAST_HOP_LEAST_MS, hopMs));
}
