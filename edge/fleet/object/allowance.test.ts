import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Allowance } from './allowance.ts';

const SMALL = 100;

function spendAll(allowance: Allowance, host: string, length: number, now: number): number {
  let frames = 0;
  while (allowance.spend(host, { length, news: 0 }, now)) frames += 1;
  return frames;
}

describe('Allowance', () => {
  it.each([
    ['small frames', SMALL, 8_192],
    ['frames of the greatest size', 131_072, 248],
    ['frames far beyond it', 1_100_000, 30],
  ])('lets a host send %s up to its allowance', (_name, length, frames) => {
    expect(spendAll(new Allowance(), 'h', length, 0)).toBe(frames);
  });

  it('grows back by 512 a second, and no further than it was', () => {
    const allowance = new Allowance();
    spendAll(allowance, 'h', SMALL, 0);
    expect(spendAll(allowance, 'h', SMALL, 1_000)).toBe(512);
    expect(spendAll(allowance, 'h', SMALL, 1_000_000)).toBe(8_192);
  });

  it('takes nothing off another host', () => {
    const allowance = new Allowance();
    spendAll(allowance, 'liar', SMALL, 0);
    expect(spendAll(allowance, 'h', SMALL, 0)).toBe(8_192);
  });

  it('bears what a host with 1,000 jobs says again and again', () => {
    const allowance = new Allowance();
    let refused = 0;
    for (let second = 0; second < 600; second += 5)
      for (let job = 0; job < 1_000; job += 1)
        if (!allowance.spend('h', { length: SMALL, news: 0 }, second * 1_000)) refused += 1;
    expect(refused).toBe(0);
  });

  it.each([
    ['one address', 900, 1, Infinity],
    ['a hundred addresses, in the longest frame', 131_072, 100, Infinity],
    ['one address, in the longest frame', 131_072, 1, 256],
    ['that a job was taken, in a frame of 5 kB', 5_000, 1, 8_192],
  ])('lets a host tell of %s as often as it may', (_what, length, news, frames) => {
    const allowance = new Allowance();
    let sent = 0;
    while (sent < 20_000 && allowance.spend('h', { length, news }, 0)) sent += 1;
    expect(sent).toBe(Math.min(20_000, frames));
  });

  it('takes a change of status for news once a second', () => {
    const allowance = new Allowance();
    const news = [0, 1, 999, 1_000, 1_001, 2_000].map((now) => allowance.isNews('h', now));
    expect(news).toEqual([true, false, false, true, false, true]);
    expect(allowance.isNews('another', 0)).toBe(true);
  });

  it('forgets nothing that would give a host more', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ waitMs: fc.nat(3_000), tidies: fc.boolean() }), { maxLength: 200 }), (steps) => {
        const [tidied, plain] = [new Allowance(), new Allowance()];
        let now = 0;
        for (const { waitMs, tidies } of steps) {
          now += waitMs;
          if (tidies) tidied.tidy(now);
          const sent = { length: 16_000_000, news: 0 };
          expect(tidied.spend('h', sent, now)).toBe(plain.spend('h', sent, now));
          expect(tidied.isNews('h', now)).toBe(plain.isNews('h', now));
        }
      }),
    );
  });
});
