import type { Env } from './env.ts';
import { describe, log } from './log.ts';
import { alarmsObject } from './objects.ts';
import { noteRaised, type Raised, takeRaised } from './paging.ts';

export type AlarmsBinding = Pick<Env, 'ALARMS'>;

/** An object that does not answer is left alone for this long: each failed call costs a log line. */
const AGAIN_AFTER_MS = 5_000;
let failedAtMs = -Infinity;

type Raising = { readonly env: AlarmsBinding; readonly waitUntil: (work: Promise<unknown>) => void };

/**
 * Hands logged events that page to the Alarms object, without anything waiting for it. A call must not fail because
 * that object cannot be reached.
 * @param always even if there is nothing new: unposted alarms are retried then
 */
export function raiseAlarms({ env, waitUntil }: Raising, always = false): void {
  if (!always && Date.now() - failedAtMs < AGAIN_AFTER_MS) return;
  const raised = takeRaised();
  if (raised.length === 0 && !always) return;
  waitUntil(handOver(env, raised));
}

async function handOver(env: AlarmsBinding, raised: readonly Raised[]): Promise<void> {
  try {
    await alarmsObject(env).raise(raised);
    failedAtMs = -Infinity;
  } catch (error) {
    failedAtMs = Date.now();
    log('error', 'alarms_unreachable', describe(error));
    // The next call of this isolate retries.
    for (const { event, fields, times } of raised) noteRaised(event, fields, times);
  }
}
