import { describe, expect, it } from 'vitest';
import { Latest } from './latest.ts';

const TIMEOUT_MS = 50;

/** Reads that a test completes by hand, and a clock that it sets. */
function setUp() {
  const ends: PromiseWithResolvers<string>[] = [];
  const clock = { nowMs: 1_000 };
  const latest = new Latest<string>(TIMEOUT_MS, () => clock.nowMs);
  const handedOver: Promise<unknown>[] = [];
  const get = (sinceMs: number): Promise<string> =>
    latest.get(
      sinceMs,
      () => {
        const end = Promise.withResolvers<string>();
        ends.push(end);
        return end.promise;
      },
      (work) => handedOver.push(work),
    );
  return { latest, clock, get, ends, handedOver };
}

describe('Latest', () => {
  it('reads once for a thousand concurrent callers, and for later ones while the value is fresh', async () => {
    const { latest, get, ends } = setUp();
    const asked = Array.from({ length: 1_000 }, () => get(1_000));
    expect(ends).toHaveLength(1);
    ends[0]?.resolve('a');
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['a']));
    expect(latest.last).toEqual({ begunMs: 1_000, value: 'a' });
    expect(await get(1_000)).toBe('a');
    expect(ends).toHaveLength(1);
  });

  it('reads again, one read at a time, for callers that need a later read', async () => {
    const { clock, get, ends } = setUp();
    const early = get(1_000);
    clock.nowMs = 1_010;
    const late = Array.from({ length: 1_000 }, () => get(1_010));
    expect(ends).toHaveLength(1);
    ends[0]?.resolve('a');
    expect(await early).toBe('a');
    await expect.poll(() => ends.length).toBe(2);
    ends[1]?.resolve('b');
    expect(new Set(await Promise.all(late))).toEqual(new Set(['b']));
    expect(ends).toHaveLength(2);
  });

  it('rejects all waiting callers when a read fails, and does not cache it', async () => {
    const { latest, get, ends } = setUp();
    const asked = [get(1_000), get(1_000)];
    ends[0]?.reject(new Error('away'));
    for (const one of asked) await expect(one).rejects.toThrow('away');
    expect(latest.last).toBeNull();
    const again = get(1_000);
    ends[1]?.resolve('b');
    expect(await again).toBe('b');
  });

  it('gives up a read that takes too long', async () => {
    const { get } = setUp();
    await expect(get(1_000)).rejects.toThrow('no answer');
  });

  it('does not wait for a lost read, and ignores its late result', async () => {
    const { latest, clock, get, ends } = setUp();
    const lost = get(1_000);
    clock.nowMs += TIMEOUT_MS;
    const again = get(1_000);
    expect(ends).toHaveLength(2);
    ends[1]?.resolve('b');
    expect(await again).toBe('b');
    ends[0]?.resolve('a');
    expect(await lost).toBe('a');
    expect(latest.last?.value).toBe('b');
  });
});
