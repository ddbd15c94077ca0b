/** Random numbers that a seed repeats. */
export type Random = {
  /** A whole number from `min` to `max`, both included. */
  readonly whole: (min: number, max: number) => number;
  readonly oneOf: <T>(items: readonly [T, ...T[]]) => T;
};

/** A linear congruential generator (the constants of Numerical Recipes); its upper bits are random enough for a test. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const whole = (min: number, max: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return min + Math.floor((state / 2 ** 32) * (max - min + 1));
  };
  return { whole, oneOf: (items) => items[whole(0, items.length - 1)] ?? items[0] };
}
