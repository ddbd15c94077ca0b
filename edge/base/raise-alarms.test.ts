import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { noteRaised, type Raised } from './paging.ts';
import { type AlarmsBinding, raiseAlarms } from './raise-alarms.ts';

const bindingSchema = z.custom<AlarmsBinding>(() => true);

test('alarms that could not be handed over are handed over the next time, with their counts', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {});
  let isAway = true;
  const taken: Raised[] = [];
  const raise = async (raised: readonly Raised[]): Promise<void> => {
    if (isAway) throw new Error('away');
    taken.push(...raised);
  };
  const env = bindingSchema.parse({ ALARMS: { getByName: () => ({ raise }) } });
  const handOver = async (): Promise<void> => {
    const work: Promise<unknown>[] = [];
    raiseAlarms({ env, waitUntil: (one) => void work.push(one) }, true);
    await Promise.all(work);
  };
  for (let n = 0; n < 3; n += 1) noteRaised('settle_failed', {});
  await handOver();
  isAway = false;
  noteRaised('settle_failed', {});
  await handOver();
  expect(taken).toContainEqual({ event: 'settle_failed', fields: {}, times: 4 });
  told.mockRestore();
});
