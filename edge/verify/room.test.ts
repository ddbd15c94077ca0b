import { describe, expect, it } from 'vitest';
import { checkRoom, noRoomFor, rememberNoRoom } from './room.ts';

const FULL = { lack: 'full', ofClass: false } as const;
const OF_CLASS = { lack: 'share', ofClass: true } as const;
const OF_ACCOUNT = { lack: 'share', ofClass: false } as const;
const free = (shard: number, account = 'a') => ({ shard, account, class: 'free' }) as const;
const bought = (shard: number, account = 'b') => ({ shard, account, class: 'bought' }) as const;
const unknown = (shard: number) => ({ shard, account: null, class: null });

describe('checkRoom', () => {
  it('refuses for a second what is no smaller than what the fleet had no room for', () => {
    rememberNoRoom(free(1), FULL, 200, 1_000);
    expect(() => checkRoom(unknown(1), 200, 1_999)).toThrow('busy');
    expect(() => checkRoom(unknown(1), 199, 1_999)).not.toThrow();
    expect(() => checkRoom(unknown(1), 500, 2_000)).not.toThrow();
  });

  it('goes by the smallest batch of that second', () => {
    rememberNoRoom(free(2), FULL, 10, 0);
    rememberNoRoom(free(2), FULL, 500, 900);
    expect(() => checkRoom(free(2), 10, 1_500)).toThrow('busy');
    rememberNoRoom(free(2), FULL, 500, 5_000);
    expect(() => checkRoom(free(2), 499, 5_001)).not.toThrow();
  });

  it('knows the shards apart, and lets pass what needs no fleet', () => {
    rememberNoRoom(free(3), FULL, 1, 0);
    expect(() => checkRoom(free(4), 500, 1)).not.toThrow();
    expect(() => checkRoom(free(3), 0, 1)).not.toThrow();
  });

  it('refuses a class whose part is taken, and nobody of the other', () => {
    rememberNoRoom(free(5), OF_CLASS, 1, 0);
    expect(() => checkRoom(free(5, 'newcomer'), 1, 1)).toThrow('accounts that have bought credits come first');
    expect(() => checkRoom(bought(5), 500, 1)).not.toThrow();
    expect(() => checkRoom(unknown(5), 500, 1)).not.toThrow();
  });

  it('refuses an account that has its share, and no other', () => {
    rememberNoRoom(bought(6), OF_ACCOUNT, 10, 0);
    expect(() => checkRoom(bought(6), 10, 999)).toThrow('your account has its share');
    expect(() => checkRoom(bought(6), 9, 999)).not.toThrow();
    expect(() => checkRoom(bought(6, 'other'), 500, 1)).not.toThrow();
    expect(() => checkRoom(unknown(6), 500, 1)).not.toThrow();
  });

  it('remembers no more than ten thousand words, whoever makes the fleet say them', () => {
    rememberNoRoom(bought(7, 'first'), OF_ACCOUNT, 1, 0);
    for (let n = 0; n < 10_000; n += 1) rememberNoRoom(bought(7, `a${n}`), OF_ACCOUNT, 1, 0);
    expect(() => checkRoom(bought(7, 'first'), 1, 1)).not.toThrow();
    expect(() => checkRoom(bought(7, 'a0'), 1, 1)).toThrow('share');
  });
});

describe('noRoomFor', () => {
  it.each([
    [FULL, '1', 'The service is busy. Nothing was charged: try again in a second.'],
    [
      OF_CLASS,
      '5',
      'The service is busy, and accounts that have bought credits come first. Nothing was charged: try again in 5 seconds.',
    ],
    [
      OF_ACCOUNT,
      '5',
      'The service is busy, and your account has its share of the work in progress. Nothing was charged: try again in 5 seconds.',
    ],
  ])('of %j says when to come back, and that nothing is charged', (noRoom, retryAfter, message) => {
    expect(noRoomFor(noRoom)).toMatchObject({
      failure: 'RATE_LIMITED',
      headers: { 'retry-after': retryAfter },
      message,
    });
  });
});
