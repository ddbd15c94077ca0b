import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import type { Check } from './canaries.ts';
import { SELF_CHECK_TIMINGS, SelfCheck } from './self-check.ts';

const WELL: Check = { failures: [], families: ['ipv4'] };
const SICK: Check = { failures: ['name'], families: ['ipv4'] };

function play(answers: Check[] | null): {
  clock: FakeClock;
  check: SelfCheck;
  asked: () => number;
  log: string[];
  changes: boolean[];
} {
  const clock = new FakeClock();
  const log: string[] = [];
  const changes: boolean[] = [];
  let asked = 0;
  const check: SelfCheck = new SelfCheck({
    ask:
      answers === null
        ? null
        : (signal) => {
            asked += 1;
            const answer = answers.shift();
            if (answer !== undefined) return Promise.resolve(answer);
            // Silence, until the check's own time is over.
            return new Promise((resolve) => signal.addEventListener('abort', () => resolve(SICK)));
          },
    complete: true,
    clock,
    timings: SELF_CHECK_TIMINGS,
    log: (event) => log.push(event),
    onChange: () => changes.push(check.healthy),
  });
  return { clock, check, asked: () => asked, log, changes };
}

describe('SelfCheck', () => {
  it('believes itself without canaries', async () => {
    const { check } = play(null);
    expect(await check.start()).toBe(true);
    expect(await check.confirm()).toBe(true);
    expect(check.healthy).toBe(true);
    expect(check.checked).toBe(false);
  });

  it('is proven by a check that passes, and says what a check failed at', async () => {
    const p = play([WELL, SICK]);
    expect(p.check.checked).toBe(false);
    await p.check.start();
    expect([p.check.checked, p.check.failing]).toEqual([true, []]);
    await p.clock.advance(60_000);
    expect([p.check.checked, p.check.failing]).toEqual([false, ['name']]);
  });

  it('checks at once and every minute, and tells when its mind changes', async () => {
    const p = play([WELL, SICK, SICK, WELL]);
    expect(await p.check.start()).toBe(true);
    await p.clock.advance(60_000);
    expect(p.check.healthy).toBe(false);
    await p.clock.advance(60_000);
    await p.clock.advance(60_000);
    expect(p.changes).toEqual([false, true]);
    expect(p.log).toEqual(['unhealthy', 'healthy']);
    expect(p.check.failed).toBe(2);
  });

  it('confirms by a check that is at most 5 s old', async () => {
    const p = play([WELL, WELL]);
    await p.check.start();
    await p.clock.advance(5_000);
    expect(await p.check.confirm()).toBe(true);
    expect(p.asked()).toBe(1);
    await p.clock.advance(1);
    expect(await p.check.confirm()).toBe(true);
    expect(p.asked()).toBe(2);
  });

  it('does not ask anew for 5 s after a check that failed', async () => {
    const p = play([SICK, WELL]);
    await p.check.start();
    expect(await p.check.confirm()).toBe(false);
    await p.clock.advance(5_001);
    expect(await p.check.confirm()).toBe(true);
    expect(p.check.healthy).toBe(true);
  });

  it('makes one check for all who ask at the same time', async () => {
    const p = play([SICK]);
    expect(await Promise.all([p.check.confirm(), p.check.confirm(), p.check.confirm()])).toEqual([false, false, false]);
    expect(p.asked()).toBe(1);
    expect(p.check.failed).toBe(1);
  });

  it('fails a check that takes longer than 5 s', async () => {
    const p = play([]);
    expect(await p.clock.finish(p.check.confirm(), 10_000)).toBe(false);
    expect(p.clock.now()).toBe(5_000);
  });
});
