import { describe, expect, it } from 'vitest';
import { clock } from './clock.ts';

describe('the clock', () => {
  it('runs nothing early', async () => {
    const started = clock.now();
    const fired = Promise.withResolvers<number>();
    clock.after(3.2, () => fired.resolve(clock.now()));
    expect((await fired.promise) - started).toBeGreaterThanOrEqual(3.2);
  });

  it('runs nothing that was cancelled', async () => {
    const ran: string[] = [];
    const later = Promise.withResolvers<void>();
    clock.after(1, () => ran.push('called off'))();
    // A delay longer than a Node timer takes would fire at once.
    const stop = clock.after(2 ** 40, () => ran.push('far away'));
    clock.after(5, later.resolve);
    await later.promise;
    stop();
    expect(ran).toEqual([]);
  });
});
