import type { Overview } from '../../schema/admin.ts';
import { within } from '../base/within.ts';
import { type Done, done, type Services } from './operation.ts';

const ALARMS_ANSWER_WITHIN_MS = 5_000;

/** How the service did in the last hour and the last week. Null where it cannot be found out. */
export async function showOverview({ alarms }: Services): Promise<Done> {
  const traffic = await within(ALARMS_ANSWER_WITHIN_MS, alarms.traffic()).catch(() => null);
  const overview: Overview = {
    minutes: traffic === null ? null : [...traffic.minutes],
    hours: traffic === null ? null : [...traffic.hours],
  };
  return done(overview);
}
