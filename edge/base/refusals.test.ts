import { describe, expect, it } from 'vitest';
import { Refusals } from './refusals.ts';

const NAMES = Array.from({ length: 20_000 }, (_, n) => `name ${n}`);

describe('a refusal', () => {
  it('is remembered until its time, for whom and what was refused, and until it is forgotten', () => {
    const refusals = new Refusals<string>();
    refusals.remember('ann', 'a call', 'why', 1_000);
    expect(refusals.find('ann', 'a call', 999)).toEqual({ value: 'why', untilMs: 1_000 });
    const others = [
      refusals.find('ann', 'a call', 1_000),
      refusals.find('ann', '', 0),
      refusals.find('bob', 'a call', 0),
    ];
    expect(others).toEqual([null, null, null]);
    refusals.forget('ann');
    expect(refusals.find('ann', 'a call', 0)).toBeNull();
  });

  it('is not displaced by another caller, with however many keys it is refused', () => {
    const refusals = new Refusals<null>();
    refusals.remember('ann', '', null, 1);
    for (const name of NAMES) refusals.remember('mallory', name, null, 1);
    expect(refusals.find('ann', '', 0)).not.toBeNull();
    const kept = NAMES.filter((name) => refusals.find('mallory', name, 0) !== null);
    expect([kept.length, kept.at(-1)]).toEqual([100, NAMES.at(-1)]);
  });

  it('is one of ten thousand at most, of which the oldest go first', () => {
    const refusals = new Refusals<null>();
    for (const name of NAMES) for (const what of ['a', 'b']) refusals.remember(name, what, null, 1);
    const kept = NAMES.flatMap((name) => ['a', 'b'].filter((what) => refusals.find(name, what, 0) !== null));
    expect([kept.length, refusals.find(NAMES[15_000] ?? '', 'a', 0)]).toEqual([10_000, { value: null, untilMs: 1 }]);
  });
});
