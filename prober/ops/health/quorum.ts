/** One that passes, one that does not, or one that cannot be asked this way and does not count. */
export type Passed = boolean | null;

/**
 * Whether at least half of the items that count pass; true if none does. As soon as that is known the others are no
 * longer waited for. One that fails with an error does not pass.
 */
export async function half(
  items: readonly string[],
  passes: (item: string, ends: AbortSignal) => Promise<Passed>,
  signal: AbortSignal,
): Promise<boolean> {
  if (items.length === 0) return true;
  const decided = new AbortController();
  const ends = AbortSignal.any([signal, decided.signal]);
  let [passed, failed, counted] = [0, 0, items.length];
  return new Promise((resolve) => {
    const count = (one: Passed): void => {
      if (one === null) counted -= 1;
      else if (one) passed += 1;
      else failed += 1;
      if (passed * 2 < counted && failed * 2 <= counted) return;
      resolve(passed * 2 >= counted);
      decided.abort();
    };
    for (const item of items) passes(item, ends).then(count, () => count(false));
  });
}
