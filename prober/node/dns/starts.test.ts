import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FairSemaphore } from './fair-semaphore.ts';
import { PacedStarts } from './starts.ts';

const ASKER = { account: 1 } as const;
const never = new AbortController().signal;

it('starts six look-ups, and six more after each look at the sockets', async () => {
  const lookUps = new PacedStarts(new FairSemaphore<number>('look-ups', 40));
  let started = 0;
  const counts: number[] = [];
  for (let i = 0; i < 25; i += 1) void Promise.resolve(lookUps.acquire(ASKER, never)).then(() => (started += 1));
  for (let look = 0; look < 5; look += 1) {
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    counts.push(started);
    await setImmediate();
  }
  expect(counts).toEqual([6, 12, 18, 20, 20]);
});

it('lets a look-up that is alone start at once, and passes on that the signal fired', () => {
  const lookUps = new PacedStarts(new FairSemaphore<number>('look-ups', 1));
  expect(lookUps.acquire(ASKER, never)).toBeTypeOf('function');
  expect(lookUps.acquire(ASKER, AbortSignal.abort())).toBe('aborted');
});
