import { describe, expect, it, test } from 'vitest';
import { Seeded } from '../seeded.ts';
import { chartOf } from './chart.ts';
import { CoarseClock } from './coarse-clock.ts';
import { ADDRESSES_PER_BATCH, errandsOf, SHARES } from './demand.ts';
import { runPlan } from './fleet-model.ts';

const RATE = 100;

describe('a plan', () => {
  it('asks about every address if it has as many as its pace needs', async () => {
    const run = await runPlan({ hosts: 2, egress: 3, addressesPerS: RATE });
    expect(run).toMatchObject({ asked: 1, batches: 4 });
    expect(run.waitP99S).toBeLessThan(30);
  });

  it('leaves out most of Microsoft’s tenants, who need a session each, if it has too few', async () => {
    const { asked, askedOf } = await runPlan({ hosts: 1, egress: 1, addressesPerS: RATE });
    expect(asked).toBeLessThan(0.9);
    expect(askedOf.microsoft).toBeLessThan(askedOf.google);
  });

  it('spreads its batches over its hosts', async () => {
    const { unevenness, batches } = await runPlan({ hosts: 4, egress: 2, addressesPerS: RATE });
    expect([unevenness, batches]).toEqual([1, 4]);
  });

  it('is the same run each time', async () => {
    const plan = { hosts: 2, egress: 1, addressesPerS: RATE };
    expect(await runPlan(plan)).toEqual(await runPlan(plan));
  });
});

test('a batch asks about each address that is dialled, once', () => {
  const errands = errandsOf(new Seeded(1));
  const addresses = errands.flatMap(({ sessions }) => sessions).reduce((sum, one) => sum + one, 0);
  expect(addresses).toBe(ADDRESSES_PER_BATCH - SHARES.notDialled);
  expect(errands.every(({ sessions }) => sessions.every((count) => count > 0))).toBe(true);
});

describe('the coarse clock', () => {
  it('runs what is due in its order, what that asks for in the same millisecond too, and nothing that was cancelled', async () => {
    const clock = new CoarseClock();
    const ran: string[] = [];
    clock.after(2, () => ran.push('second'));
    clock.after(0.5, () => {
      ran.push('first');
      void Promise.resolve().then(() => clock.after(0, () => ran.push('then')));
    });
    clock.after(1, () => ran.push('never'))();
    clock.after(9, () => ran.push('too late'));
    await clock.run(5);
    expect([clock.now(), ran]).toEqual([5, ['first', 'then', 'second']]);
  });
});

test('the chart has a point for each plan in each panel, and nothing that is not a number', async () => {
  const runs = await Promise.all([1, 2].map((hosts) => runPlan({ hosts, egress: 1, addressesPerS: RATE })));
  const svg = chartOf(runs);
  expect(svg.match(/<circle /g)).toHaveLength(4);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});
