import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { creditsSchema, verificationResultSchema } from '../schema/api.ts';
import type { VerificationResult } from '../schema/words/result.ts';
import { expectedResult, type Row, WORLD } from './sandbox/world.ts';
import { newStateFolder, type RunningService, startRunningService } from './testing/running-service.ts';

// The addresses of the sandbox that take long; the conformance suite has the others.

const SLOW = WORLD.filter((row) => row.takesS > 0);
const SLOW_MS = 180_000;
/** The service's own, unless it is told otherwise. */
const BATCH_DEADLINE_S = 90;

let service: RunningService;
beforeAll(async () => {
  service = await startRunningService(await newStateFolder());
});
afterAll(() => service.stop());

async function verify(rows: readonly Row[]): Promise<readonly VerificationResult[]> {
  const answer = await fetch(new URL('/api/v1/verify', service.ready.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${service.ready.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ emails: rows.map((row) => row.address) }),
  });
  expect(answer.status).toBe(200);
  return z.array(verificationResultSchema).parse(await answer.json());
}

async function credits(): Promise<number> {
  const headers = { authorization: `Bearer ${service.ready.apiKey}` };
  const answer = await fetch(new URL('/api/v1/credits', service.ready.url), { headers });
  return creditsSchema.parse(await answer.json()).credits;
}

function price(rows: readonly Row[]): number {
  return rows.filter((row) => !row.free).length;
}

test(
  'every slow address of the sandbox has the verdict and the price of the table',
  async () => {
    const before = await credits();
    // All at once: one after the other they would outlast the batch, and have another result.
    expect(SLOW.reduce((sum, row) => sum + row.takesS, 0)).toBeGreaterThan(BATCH_DEADLINE_S);
    expect(await verify(SLOW)).toEqual(SLOW.map(expectedResult));
    await expect.poll(credits).toBe(before - price(SLOW));
  },
  SLOW_MS,
);
