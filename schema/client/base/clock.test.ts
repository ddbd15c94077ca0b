import { expect, test } from 'vitest';
import { SYSTEM_CLOCK } from './clock.ts';

test('the clock of the system goes on, wakes when it is time, and not once it was called off', async () => {
  const { after, now, random, wallMs } = SYSTEM_CLOCK;
  const [nowMs, beforeMs] = [now(), Date.now()];
  const woken: string[] = [];
  const callOff = after(1, () => woken.push('called off'));
  callOff();
  await new Promise<void>((done) => after(2, done));
  expect(woken).toEqual([]);
  expect(now()).toBeGreaterThan(nowMs);
  expect(wallMs()).toBeGreaterThanOrEqual(beforeMs);
  const chances = Array.from({ length: 20 }, random);
  expect(chances.every((chance) => chance >= 0 && chance < 1)).toBe(true);
  expect(new Set(chances).size).toBeGreaterThan(1);
});
