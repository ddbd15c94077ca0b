import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { runKills } from './run-kills.ts';

it('five kills of workerd, of the host and of both leave books that add up, and nobody charged in vain', async () => {
  const seed = randomInt(2 ** 31);
  const report = await runKills(5, seed, () => {});
  process.stdout.write(`kills: seed ${seed}, ${JSON.stringify(report)}\n`);
  expect(report.faults).toEqual([]);
  expect(report.chargedWithoutAnswer).toEqual([]);
  expect(report.exact).toBeGreaterThan(0);
  expect(report.brokenOff).toBeGreaterThan(0);
}, 120_000);
