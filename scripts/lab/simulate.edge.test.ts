import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// One process after the other: among the tests that need a core of their own, so that no timing of others suffers.
const SIMULATE = fileURLToPath(new URL('simulate.ts', import.meta.url));
const SEEDS = 200;
const WITHIN_MS = 600_000;

type Ended = { readonly code: number; readonly out: string };
const simulate = (...args: readonly string[]): Promise<Ended> =>
  promisify(execFile)(process.execPath, [SIMULATE, ...args], { timeout: WITHIN_MS, maxBuffer: 10_000_000 }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { readonly code: number; readonly stdout: string }) => ({ code: error.code, out: error.stdout }),
  );

test('200 runs with all kinds of faults answer every batch as they must', { timeout: WITHIN_MS }, async () => {
  const { code, out } = await simulate('--seeds', String(SEEDS));
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^200 runs, .*: every answer held\n$/) });
});

test('a seed is the same run each time', { timeout: WITHIN_MS }, async () => {
  const [first, again] = await Promise.all([simulate('--seed', '42'), simulate('--seed', '42')]);
  expect(first.out.split('\n').length).toBeGreaterThan(20);
  expect(again).toEqual(first);
});
