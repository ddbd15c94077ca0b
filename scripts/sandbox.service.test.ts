import { expect, test } from 'vitest';
import { results } from './conformance/testing/reply.ts';
import { credits, customer, verify } from './conformance/testing/service.ts';
import { WORLD } from './sandbox/world.ts';

// The addresses of the sandbox that take long; the conformance suite has the others.

const SLOW = WORLD.filter((row) => row.takesS > 0);
const SLOW_MS = 180_000;
/** The service's own, unless it is told otherwise. */
const BATCH_DEADLINE_S = 90;

test(
  'every slow address of the sandbox has the verdict and the price of the table',
  async () => {
    const { key } = await customer(SLOW.length);
    const emails = SLOW.map(({ address }) => address);
    // All at once: one after the other they would outlast the batch, and have another result.
    expect(SLOW.reduce((sum, row) => sum + row.takesS, 0)).toBeGreaterThan(BATCH_DEADLINE_S);
    expect(results(await verify(emails, { key }))).toEqual(SLOW.map(({ expected }) => expected));
    await expect.poll(() => credits(key)).toBe(SLOW.filter(({ free }) => free).length);
  },
  SLOW_MS,
);
