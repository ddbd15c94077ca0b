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
    ['small frames', SMALL, 16_384],
    ['frames of the maximum size', 131_072, 496],
  ])('lets a host send %s up to its allowance', (_name, length, frames) => {
    expect(spendAll(new Allowance(), 'h', length, 0)).toBe(frames);
  });

  it('refills by 4,096 a second, up to its full size', () => {
    const allowance = new Allowance();
    spendAll(allowance, 'h', SMALL, 0);
    expect(spendAll(allowance, 'h', SMALL, 1_000)).toBe(4_096);
    allowance.tidy(1_000);
    expect(spendAll(allowance, 'h', SMALL, 1_000_000)).toBe(16_384);
  });

  it('is separate for each host', () => {
    const allowance = new Allowance();
    spendAll(allowance, 'flood', SMALL, 0);
    expect(spendAll(allowance, 'h', SMALL, 0)).toBe(16_384);
  });
});
