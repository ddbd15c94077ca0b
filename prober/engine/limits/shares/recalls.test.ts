import { expect, test } from 'vitest';
import { FairShare } from './fair-share.ts';
import { Recalls } from './recalls.ts';
import { SLOW_MS, Tenure } from './tenure.ts';

const PLACES = 2_000;

/** Counts how often it is asked what an account holds beyond its share. */
class CountingShare extends FairShare<number, string> {
  asked = 0;

  override excess(key: number): number {
    this.asked += 1;
    return super.excess(key);
  }
}

/** All places are held, by so many accounts, and another account waits. */
function fullHouse(accounts: number, waitedMs = (n: number): number => n) {
  const share = new CountingShare('connections', 'kept');
  const recalls = new Recalls(share);
  const recalled: number[] = [];
  const tenures = Array.from({ length: PLACES }, (_, n) => {
    const account = n % accounts;
    const tenure = new Tenure({ account }, false, 0);
    tenure.holds({ waitedMs: waitedMs(n), recall: () => recalled.push(n) });
    share.acquire(account);
    recalls.add(tenure);
    return tenure;
  });
  share.enqueue(-1, 'newcomer');
  const end = (n: number): void => {
    const tenure = tenures[n];
    if (tenure === undefined) return;
    recalls.remove(tenure);
    share.release(tenure.account);
  };
  return { share, recalls, recalled, end };
}

test('however often connections end in a second, those that are held are looked through twenty times', () => {
  const { share, recalls } = fullHouse(20, () => 0);
  // Nothing is slow yet: nobody is called back, and each look goes through all.
  for (let now = 0; now < 1_000; now += 0.25) recalls.look(true, PLACES, now);
  expect(share.asked).toBe(20 * PLACES);
});

test('the one that has waited longest is called back, and the next one once it is gone', () => {
  const { recalls, recalled, end } = fullHouse(20);
  expect(recalls.look(true, PLACES, 0)).toBe(Infinity);
  expect(recalled).toEqual([PLACES - 1]);
  expect(recalls.look(true, PLACES - 1, 1)).toBe(Infinity);
  end(PLACES - 1);
  const again = recalls.look(true, PLACES - 1, 2);
  expect(again).toBe(50);
  expect(recalled).toEqual([PLACES - 1]);
  recalls.look(true, PLACES - 1, again);
  expect(recalled).toEqual([PLACES - 1, PLACES - 2]);
});

test('a clock that was set back does not keep it from looking', () => {
  const { recalls, recalled, end } = fullHouse(20);
  recalls.look(true, PLACES, 100_000);
  end(PLACES - 1);
  recalls.look(true, PLACES - 1, SLOW_MS);
  expect(recalled).toEqual([PLACES - 1, PLACES - 2]);
});
