import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { creditsSchema, verificationResultSchema } from '../schema/api.ts';
import type { VerificationResult } from '../schema/words/result.ts';
import { expectedResult, type Row, WORLD } from './sandbox/world.ts';
import { newStateFolder, type RunningService, startRunningService } from './testing/running-service.ts';
import { readWritten } from './testing/search-bytes.ts';

// The whole path on real parts: HTTP, workerd, D1, objects, a probe host in a process of its own, DNS, TCP.

const QUICK = WORLD.filter((row) => row.takesS === 0);
const SLOW = WORLD.filter((row) => row.takesS > 0);
const SLOW_MS = 180_000;
/** The service's own, unless it is told otherwise. */
const BATCH_DEADLINE_S = 90;

let state: string;
let service: RunningService;
beforeAll(async () => {
  state = await newStateFolder();
  service = await startRunningService(state);
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

test('every quick address of the sandbox has the verdict and the price of the table, and again when asked again', async () => {
  const before = await credits();
  expect(await verify(QUICK)).toEqual(QUICK.map(expectedResult));
  await expect.poll(credits).toBe(before - price(QUICK));
  expect(await verify(QUICK)).toEqual(QUICK.map(expectedResult));
  await expect.poll(credits).toBe(before - 2 * price(QUICK));
});

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

test('nothing that the service wrote names an address, its domain or the key', async () => {
  await service.stop();
  const files = await readWritten(state);
  // The demo account's key is kept for its owner on purpose.
  const kept = [...files.keys()].filter((file) => !file.endsWith('/demo.json'));
  const written = new Map<string, string>([
    ['standard output', service.out().replace(service.ready.apiKey, '')],
    ['standard error', service.err()],
    ...kept.map((file) => [file, files.get(file)?.toString('latin1') ?? ''] as const),
  ]);
  expect(kept.some((file) => file.includes('/d1/'))).toBe(true);
  expect(kept.some((file) => file.includes('/do/'))).toBe(true);
  expect(service.err()).toContain('"event":"batch"');
  const domains = WORLD.map((row) => row.address.slice(row.address.lastIndexOf('@') + 1));
  for (const secret of [...new Set(domains), service.ready.apiKey])
    for (const [place, text] of written)
      expect({ place, secret, found: text.includes(secret) }).toEqual({ place, secret, found: false });
});
