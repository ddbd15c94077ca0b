import { describe, expect, it } from 'vitest';
import { isPassing, isRefused, persist } from './transient.ts';

const lost = new Error('D1_ERROR: Network connection lost.');

describe('persist', () => {
  it('retries after a transient failure', async () => {
    let calls = 0;
    const answer = await persist(2, () => {
      calls += 1;
      return calls < 2 ? Promise.reject(lost) : Promise.resolve('stands');
    });
    expect([answer, calls]).toEqual(['stands', 2]);
  });

  it('rejects with the last error when its attempts are used up', async () => {
    await expect(persist(1, () => Promise.reject(lost))).rejects.toBe(lost);
  });

  it.each([1, 2, 3, 4])('makes %i attempts if all fail', async (attempts) => {
    let calls = 0;
    const paused: number[] = [];
    const given = persist(
      attempts,
      () => {
        calls += 1;
        return Promise.reject(lost);
      },
      async (ms) => void paused.push(ms),
    );
    await expect(given).rejects.toBe(lost);
    expect(calls).toBe(attempts);
    expect(paused).toHaveLength(attempts - 1);
    // Each pause is longer than the one before it, despite the jitter.
    expect(paused).toEqual(paused.toSorted((a, b) => a - b));
  });

  it.each([
    'D1 DB is overloaded. Requests queued for too long.',
    'D1_ERROR: CHECK constraint failed: balance_not_negative: SQLITE_CONSTRAINT',
  ])('never retries "%s"', async (message) => {
    let calls = 0;
    const failing = persist(4, () => {
      calls += 1;
      return Promise.reject(new Error(message));
    });
    await expect(failing).rejects.toThrow(message);
    expect(calls).toBe(1);
  });

  it('treats only errors as transient', () => {
    expect(isPassing('Network connection lost')).toBe(false);
  });
});

describe('isRefused', () => {
  it.each([
    [new Error('D1_ERROR: CHECK constraint failed: balance_not_negative: SQLITE_CONSTRAINT'), true],
    [lost, false],
    ['SQLITE_CONSTRAINT', false],
    [null, false],
  ])('of %s is %s', (error, refused) => {
    expect(isRefused(error)).toBe(refused);
  });
});
