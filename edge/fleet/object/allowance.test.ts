import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Allowance } from './allowance.ts';

const SMALL = 100;

function spendAll(allowance: Allowance, host: string, length: number, now: number): number {
  let frames = 0;
  while (allowance.spend(host, length, now)) frames += 1;
  return frames;
}

describe('Allowance', () => {
  it.each([
    ['small frames', SMALL, 8_192],
    ['frames of the greatest size', 131_072, 248],
    ['frames far beyond it', 1_100_000, 30],
  ])('lets a host send so many %s', (_name, length, frames) => {
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
      for (let job = 0; job < 1_000; job += 1) if (!allowance.spend('h', SMALL, second * 1_000)) refused += 1;
    expect(refused).toBe(0);
  });

  it('forgets nothing that would give a host more', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ waitMs: fc.nat(3_000), tidies: fc.boolean() }), { maxLength: 200 }), (steps) => {
        const [tidied, plain] = [new Allowance(), new Allowance()];
        let now = 0;
        for (const { waitMs, tidies } of steps) {
          now += waitMs;
          if (tidies) tidied.tidy(now);
          expect(tidied.spend('h', 16_000_000, now)).toBe(plain.spend('h', 16_000_000, now));
        }
      }),
    );
  });
});
