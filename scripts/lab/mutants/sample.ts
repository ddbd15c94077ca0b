import { createHash } from 'node:crypto';

/** At most `max` of the items, in their order. The same seed chooses the same, wherever they then stand. */
export function sample<T>(items: readonly T[], max: number, seed: number): readonly T[] {
  if (items.length <= max) return items;
  const lot = (item: T): string =>
    createHash('sha256')
      .update(`${seed} ${JSON.stringify(item)}`)
      .digest('hex');
  const drawn = new Set([...items].toSorted((a, b) => (lot(a) < lot(b) ? -1 : 1)).slice(0, max));
  return items.filter((item) => drawn.has(item));
}
