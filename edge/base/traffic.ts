import type { TrafficCounts } from '../../schema/words/traffic.ts';
import type { Call } from './call.ts';
import { describe, log } from './log.ts';
import { alarmsObject } from './objects.ts';
import { pause } from './pause.ts';

// The outcomes of calls, collected in the isolate and handed over every two seconds, after the answers: no call makes a
// trip for them.

const TOGETHER_MS = 2_000;
const LOST_AFTER_MS = 30_000;
/** Names are our own fixed words, far fewer than this. */
const NAMES_MAX = 60;

const gathered = new Map<string, number>();
/** When the counts are sure to have been handed over; a call lost with its counts does not stop the next one. */
let dueByMs = 0;

/** Adds to the counts of this minute. A lost isolate loses what it had collected. */
export function countTraffic(call: Pick<Call, 'env' | 'config' | 'waitUntil'>, counts: TrafficCounts): void {
  for (const [name, n] of Object.entries(counts))
    if (gathered.has(name) || gathered.size < NAMES_MAX) gathered.set(name, (gathered.get(name) ?? 0) + n);
  const now = Date.now();
  if (now < dueByMs) return;
  dueByMs = now + LOST_AFTER_MS;
  call.waitUntil(handOver(call));
}

async function handOver(call: Pick<Call, 'env' | 'config'>): Promise<void> {
  await pause(TOGETHER_MS);
  dueByMs = 0;
  const counts = Object.fromEntries(gathered);
  gathered.clear();
  try {
    await alarmsObject(call.env).count(counts);
  } catch (error) {
    log('warn', 'traffic_lost', describe(error));
  }
}
