import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { BUGS } from './simulate/bugs.ts';
import { LIES } from './simulate/lies.ts';

// One process after the other: among the tests that need a core of their own, so that no timing of others suffers.
const SIMULATE = fileURLToPath(new URL('simulate.ts', import.meta.url));
const SEEDS = 500;
const WITHIN_MS = 600_000;

type Ended = { readonly code: number; readonly out: string };
const simulate = (...args: readonly string[]): Promise<Ended> =>
  promisify(execFile)(process.execPath, [SIMULATE, ...args], { timeout: WITHIN_MS, maxBuffer: 10_000_000 }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { readonly code: number; readonly stdout: string }) => ({ code: error.code, out: error.stdout }),
  );

test('500 runs with all kinds of faults answer every batch as they must', { timeout: WITHIN_MS }, async () => {
  const { code, out } = await simulate('--seeds', String(SEEDS));
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^500 runs, .*: every answer held\n$/) });
});

test(
  'of hosts that begin to lie little is charged, whatever they lie, they are soon out, and no honest one is',
  { timeout: WITHIN_MS },
  async () => {
    const { code, out } = await simulate('--liars', '--seeds', String(LIES.length));
    expect({ code, out }).toEqual({ code: 0, out: expect.not.stringContaining('FAULT') });
    expect(out.match(/^.*: 1 runs, at most \d+ wrong and charged, \d+ free, .*$/gm)).toHaveLength(LIES.length);
  },
);

test(
  'two that begin to lie alike do not put the third out, in the run in which they did',
  { timeout: WITHIN_MS },
  async () => {
    const { out } = await simulate('--liars', '--seed', '21');
    expect(out).toContain('two of three accept everybody: 1 runs');
    expect(out).not.toContain('which is honest');
  },
);

test.each(Object.entries(BUGS))(
  'the simulation finds a bug that is put in on purpose: %s',
  { timeout: WITHIN_MS },
  async (name, { what }) => {
    expect(what).not.toBe('');
    const { code, out } = await simulate('--seeds', String(SEEDS), '--bug', name);
    expect(code).toBe(1);
    expect(out).toMatch(/^FAULT in seed \d+: /m);
    // What happened, in order, stands before it.
    expect(out).toMatch(/^0\.000 h0-0 starts\n/);
  },
);

test('a seed is the same run each time', { timeout: WITHIN_MS }, async () => {
  const [first, again] = await Promise.all([simulate('--seed', '42'), simulate('--seed', '42')]);
  expect(first.out.split('\n').length).toBeGreaterThan(20);
  expect(again).toEqual(first);
});
