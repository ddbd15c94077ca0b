import type { Env } from './env.ts';
import { describe, log } from './log.ts';
import { alarmsObject } from './objects.ts';
import { noteRaised, type Raised, takeRaised } from './paging.ts';

/** Where alarms go; a Worker from before that object has none. */
export type AlarmsBinding = { readonly ALARMS?: Env['ALARMS'] };

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
  if (ALARMS === undefined) return;
  const raised = takeRaised();
  if (raised.length === 0 && !always) return;
  waitUntil(handOver({ ...env, ALARMS }, raised));
}

async function handOver(env: Pick<Env, 'ALARMS'>, raised: readonly Raised[]): Promise<void> {
  try {
    await alarmsObject(env).raise(raised);
  } catch (error) {
    log('error', 'alarms_unreachable', describe(error));
    // The next call of this isolate tries again.
    for (const { event, fields } of raised) noteRaised(event, fields);
  }
}
