import { describe, expect, it } from 'vitest';
import { AccountCalls, accountLimit } from './limit-account.ts';

describe('AccountCalls', () => {
  it('has ten calls counted together, and no more while a count is under way', () => {
    const calls = new AccountCalls();
    const passed = (times: number, nowMs = 0) =>
      Array.from({ length: times }, () => calls.pass(nowMs)).filter((n) => n > 0);
    expect([passed(9), passed(1), passed(30)]).toEqual([[], [10], []]);
    calls.counted(null);
    expect([passed(1), passed(20)]).toEqual([[31], []]);
    // One whose answer never came is given up.
    expect(passed(1, 2_000)).toEqual([21]);
  });

  it('refuses until the window ends that was used up', () => {
    const calls = new AccountCalls();
    calls.counted({ limit: 120, untilMs: 60_000 });
    expect([calls.refusedForMs(120, 1_000), calls.refusedForMs(120, 60_000)]).toEqual([59_000, 0]);
    calls.counted(null);
    expect(calls.refusedForMs(120, 1_000)).toBe(59_000);
  });

  it('refuses no account that has bought meanwhile, whose limit is higher', () => {
    const calls = new AccountCalls();
    calls.counted({ limit: 120, untilMs: 60_000 });
    expect(calls.refusedForMs(1_200, 1_000)).toBe(0);
  });

  it('lets fifty keys make no more calls than one account may, and ten for each isolate besides', () => {
    const limit = 120;
    const isolates = Array.from({ length: 5 }, () => new AccountCalls());
    let [used, served] = [0, 0];
    for (let call = 0; call < 3_000; call += 1) {
      const calls = isolates[call % isolates.length] ?? new AccountCalls();
      if (calls.refusedForMs(limit, call) > 0) continue;
      served += 1;
      const passed = calls.pass(call);
      if (passed === 0) continue;
      const isOver = used >= limit || used + passed >= limit;
      if (used < limit) used += passed;
      calls.counted(isOver ? { limit, untilMs: 60_000 } : null);
    }
    expect(served).toBeGreaterThanOrEqual(limit);
    expect(served).toBeLessThanOrEqual(limit + 10 * isolates.length);
  });
});

it('a free account has a tenth of the calls', () => {
  expect([accountLimit(1_200, 'bought'), accountLimit(1_200, 'free'), accountLimit(5, 'free')]).toEqual([
    1_200, 120, 1,
  ]);
});
