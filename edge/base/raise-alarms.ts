import type { Env } from './env.ts';
import { describe, log } from './log.ts';
import { alarmsObject } from './objects.ts';
import { noteRaised, type Raised, takeRaised } from './paging.ts';

/** Where alarms go; a Worker from before that object has none. */
export type AlarmsBinding = { readonly ALARMS?: Env['ALARMS'] };

/** An object that does not answer is left alone for this long: each call that asks it costs a line of the log. */
const AGAIN_AFTER_MS = 5_000;
let failedAtMs = -Infinity;

type Raising = {
  readonly env: AlarmsBinding;
  readonly waitUntil: (work: Promise<unknown>) => void;
};

/**
 * Hands what was logged and pages to the Alarms object, without anybody waiting for it. That it cannot be reached must
 * not be what fails.
 * @param always also if there is nothing: what could not be posted is tried again then
 */
export function raiseAlarms({ env, waitUntil }: Raising, always = false): void {
  const { ALARMS } = env;
  if (ALARMS === undefined || (!always && Date.now() - failedAtMs < AGAIN_AFTER_MS)) return;
  const raised = takeRaised();
  if (raised.length === 0 && !always) return;
  waitUntil(handOver({ ...env, ALARMS }, raised));
}

async function handOver(env: Pick<Env, 'ALARMS'>, raised: readonly Raised[]): Promise<void> {
  try {
    await alarmsObject(env).raise(raised);
    failedAtMs = -Infinity;
  } catch (error) {
    failedAtMs = Date.now();
    log('error', 'alarms_unreachable', describe(error));
    // The next call of this isolate tries again.
    for (const { event, fields, times } of raised) noteRaised(event, fields, times);
  }
}
