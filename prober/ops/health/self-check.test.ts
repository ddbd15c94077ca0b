import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import type { Check, Scope } from './canaries.ts';
import { SelfCheck } from './self-check.ts';

const WELL: Check = { failures: [], egress: [], unclear: [] };
const SICK: Check = { failures: ['name'], egress: [], unclear: [] };

function play(answers: (Check | Error)[] | null): {
  clock: FakeClock;
  check: SelfCheck;
  asked: Scope[];
  log: string[];
  changes: boolean[];
} {
  const clock = new FakeClock();
  const log: string[] = [];
  const changes: boolean[] = [];
  const asked: Scope[] = [];
  const check: SelfCheck = new SelfCheck({
    ask:
      answers === null
        ? null
        : (scope, signal) => {
            asked.push(scope);
            const answer = answers.shift();
            if (answer instanceof Error) return Promise.reject(answer);
            if (answer !== undefined) return Promise.resolve(answer);
            // Silence, until the check's time is over.
            return new Promise((resolve) => signal.addEventListener('abort', () => resolve(SICK)));
          },
    complete: true,
    clock,
    log: (event) => log.push(event),
    onChange: () => changes.push(check.healthy),
  });
  return { clock, check, asked, log, changes };
}

describe('SelfCheck', () => {
  it('passes without canaries', async () => {
    const { check } = play(null);
    expect(await check.start()).toBe(true);
    expect(await check.confirm('names')).toBe(true);
    expect([check.healthy, check.checked]).toEqual([true, true]);
  });

  it('is proven by a check that passes, and reports what a check failed at', async () => {
    const p = play([WELL, SICK]);
    expect(p.check.checked).toBe(false);
    await p.check.start();
    expect([p.check.checked, p.check.failing]).toEqual([true, []]);
    await p.clock.advance(60_000);
    expect([p.check.checked, p.check.failing]).toEqual([false, ['name']]);
  });

  it('checks at once and every minute, and reports changes', async () => {
    const p = play([WELL, SICK, SICK, WELL, WELL, WELL]);
    expect(await p.check.start()).toBe(true);
    await p.clock.advance(60_000);
    expect(p.check.healthy).toBe(false);
    await p.clock.advance(60_000);
    await p.clock.advance(60_000);
    expect(p.asked).toEqual(['all', 'all', 'names', 'names', 'all', 'all']);
    expect(p.changes).toEqual([false, true]);
    expect(p.log).toEqual(['unhealthy', 'healthy']);
    expect(p.check.failed).toBe(2);
  });

  it('confirms with a check that starts after the doubtful evidence, however recent the last one was', async () => {
    const p = play([WELL, SICK]);
    await p.check.start();
    expect(await p.check.confirm('names')).toBe(false);
    expect([p.asked, p.check.failed]).toEqual([['all', 'names'], 1]);
  });

  it('shares one check among callers that ask before it starts, and makes another for later ones', async () => {
    const p = play([SICK, WELL]);
    const first = [p.check.confirm('names'), p.check.confirm('names')];
    await p.clock.settle();
    const second = p.check.confirm('names');
    expect(await Promise.all(first)).toEqual([false, false]);
    expect(p.asked).toEqual(['names']);
    expect(await p.clock.finish(second)).toBe(true);
    expect(p.asked).toEqual(['names', 'names']);
    expect(p.check.failed).toBe(1);
  });

  it.each([
    ['names', 250],
    ['reach', 5_000],
  ] as const)('asks for %s at most every %i ms, however much is in doubt', async (proof, gapMs) => {
    const p = play(Array.from({ length: 10 }, () => WELL));
    for (let n = 0; n < 4; n += 1) await p.clock.finish(p.check.confirm(proof));
    expect([p.asked.length, p.clock.now()]).toEqual([4, 3 * gapMs]);
  });

  it('does not recover by a check that leaves out what failed', async () => {
    const p = play([{ ...SICK, failures: ['host'] }, WELL, WELL]);
    await p.check.start();
    expect(await p.check.confirm('names')).toBe(false);
    expect(p.check.failing).toEqual(['host']);
    expect(await p.check.confirm('reach')).toBe(true);
  });

  it('counts a check that throws as failed, and continues checking', async () => {
    const p = play([new Error('odd'), WELL, WELL]);
    expect(await p.check.confirm('names')).toBe(false);
    expect(p.check.failing).toEqual(['name', 'missing']);
    expect(await p.clock.finish(p.check.confirm('names'))).toBe(true);
    expect(await p.clock.finish(p.check.confirm('names'))).toBe(true);
  });

  it.each([
    ['name', 1_000],
    ['host', 5_000],
  ] as const)('repeats a check that failed at a %s after %i ms, until it passes', async (canary, afterMs) => {
    const sick: Check = { ...SICK, failures: [canary] };
    const p = play([sick, sick, WELL, WELL]);
    await p.check.start();
    await p.clock.advance(afterMs);
    expect(p.check.healthy).toBe(false);
    await p.clock.advance(afterMs);
    expect([p.check.healthy, p.asked.length]).toEqual([true, 3]);
    await p.clock.advance(40_000);
    expect(p.asked).toHaveLength(3);
  });

  it('is out while a mailbox that must exist is refused like any, and back at the next check that passes', async () => {
    const p = play([WELL, { ...SICK, failures: ['mailbox'] }, WELL]);
    await p.check.start();
    await p.clock.advance(60_000);
    expect([p.check.healthy, p.check.failing]).toEqual([false, ['mailbox']]);
    await p.clock.advance(60_000);
    expect([p.check.healthy, p.asked]).toEqual([true, ['all', 'all', 'all']]);
  });

  it('reports once that a mailbox proves nothing, and goes on working', async () => {
    const unclear: Check = { ...WELL, unclear: [0, 2] };
    const p = play([unclear, unclear, WELL, unclear]);
    for (const [logged, positions] of [
      [1, [0, 2]],
      [1, [0, 2]],
      [1, []],
      [2, [0, 2]],
    ] as const) {
      if (logged === 1 && p.asked.length === 0) await p.check.start();
      else await p.clock.advance(60_000);
      expect([p.check.healthy, p.check.unclear]).toEqual([true, positions]);
      expect(p.log).toEqual(Array.from({ length: logged }, () => 'mailbox_unclear'));
    }
  });

  it('fails a check that takes longer than 5 s', async () => {
    const p = play([]);
    expect(await p.clock.finish(p.check.confirm('reach'), 10_000)).toBe(false);
    expect(p.clock.now()).toBe(5_000);
  });
});

describe('a host that lacks descriptors, memory or ports', () => {
  it('takes no jobs and trusts no doubtful evidence until a minute has passed without it', async () => {
    const p = play([WELL, WELL, WELL, WELL]);
    await p.check.start();
    p.check.exhausted('EMFILE');
    p.check.exhausted('EMFILE');
    expect([p.check.healthy, p.check.failing, p.check.failed]).toEqual([false, ['resources'], 2]);
    expect(p.log).toEqual(['exhausted', 'unhealthy']);
    await p.clock.advance(30_000);
    p.check.exhausted('EMFILE');
    // A passing check does not bring back what the host lacks.
    await p.clock.advance(59_000);
    expect(p.check.healthy).toBe(false);
    await p.clock.advance(1_000);
    expect([p.check.healthy, p.check.failed]).toEqual([true, 3]);
    expect(p.changes).toEqual([false, true]);
  });

  it('is unhealthy without canaries too', async () => {
    const p = play(null);
    p.check.exhausted('ENOBUFS');
    expect(p.check.healthy).toBe(false);
    await p.clock.advance(60_000);
    expect(p.check.healthy).toBe(true);
  });
});
