import { describe, expect, it } from 'vitest';
import type { Lack } from '../base/fleet-protocol.ts';
import { checkRoom, noRoomFor, rememberNoRoom } from './room.ts';

const FULL = 'full';
const OF_ACCOUNT = 'share';
const asker = (shard: number, account = 'a') => ({ shard, account });
const unknown = (shard: number) => ({ shard, account: null });

describe('checkRoom', () => {
  it('refuses batches of the same size or larger for a second', () => {
    rememberNoRoom(asker(1), FULL, 200, 1_000);
    expect(() => checkRoom(unknown(1), 200, 1_999)).toThrow('busy');
    expect(() => checkRoom(unknown(1), 199, 1_999)).not.toThrow();
    expect(() => checkRoom(unknown(1), 500, 2_000)).not.toThrow();
  });

  it('keeps shards apart, and passes batches that need no fleet', () => {
    rememberNoRoom(asker(3), FULL, 1, 0);
    expect(() => checkRoom(asker(4), 500, 1)).not.toThrow();
    expect(() => checkRoom(asker(3), 0, 1)).not.toThrow();
  });

  it('refuses an account that has its share, and no other account', () => {
    rememberNoRoom(asker(6), OF_ACCOUNT, 10, 0);
    expect(() => checkRoom(asker(6), 10, 999)).toThrow('your account has its share');
    expect(() => checkRoom(asker(6), 9, 999)).not.toThrow();
    expect(() => checkRoom(asker(6, 'other'), 500, 1)).not.toThrow();
    expect(() => checkRoom(unknown(6), 500, 1)).not.toThrow();
  });
});

describe('noRoomFor', () => {
  it.each<[Lack, string, string]>([
    [FULL, '1', 'The service is busy. Nothing was charged: try again in a second.'],
    [
      OF_ACCOUNT,
      '5',
      'The service is busy, and your account has its share of the work in progress. Nothing was charged: try again in 5 seconds.',
    ],
  ])('for %j says when to retry, and that nothing was charged', (noRoom, retryAfter, message) => {
    expect(noRoomFor(noRoom)).toMatchObject({
      failure: 'RATE_LIMITED',
      headers: { 'retry-after': retryAfter },
      message,
    });
  });
});
