import { describe, expect, it } from 'vitest';
import { checkRoom, fleetFull, noteFull } from './room.ts';

describe('checkRoom', () => {
  it('refuses for a second what is no smaller than what the fleet had no room for', () => {
    noteFull(1, 200, 1_000);
    expect(() => checkRoom(1, 200, 1_999)).toThrow('at its limit');
    expect(() => checkRoom(1, 199, 1_999)).not.toThrow();
    expect(() => checkRoom(1, 500, 2_000)).not.toThrow();
  });

  it('goes by the smallest batch of that second', () => {
    noteFull(2, 10, 0);
    noteFull(2, 500, 900);
    expect(() => checkRoom(2, 10, 1_500)).toThrow('at its limit');
    noteFull(2, 500, 5_000);
    expect(() => checkRoom(2, 499, 5_001)).not.toThrow();
  });

  it('knows the shards apart, and lets pass what needs no fleet', () => {
    noteFull(3, 1, 0);
    expect(() => checkRoom(4, 500, 1)).not.toThrow();
    expect(() => checkRoom(3, 0, 1)).not.toThrow();
  });

  it('says when to come back, and that nothing is charged', () => {
    expect(fleetFull()).toMatchObject({ failure: 'INTERNAL_ERROR', headers: { 'retry-after': '1' } });
    expect(fleetFull().message).toContain('This request costs nothing');
  });
});
