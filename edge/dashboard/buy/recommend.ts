import type { Pack } from '../../../schema/pages-api.ts';

/** The smallest pack that suffices, or the largest if none does; null if nothing is known to be needed. Pure. */
export function recommended(packs: readonly Pack[], needed: number): Pack | null {
  if (needed <= 0) return null;
  const bySize = packs.toSorted((a, b) => a.credits - b.credits);
  return bySize.find(({ credits }) => credits >= needed) ?? bySize.at(-1) ?? null;
}

/** How much less 1,000 credits cost in this pack than in the smallest of its currency: a part of 1, rounded down. Pure. */
export function saving(
  packs: readonly Pack[],
  { credits, amount, currency }: Pack,
): { part: number; than: Pack } | null {
  const [than] = packs.filter((pack) => pack.currency === currency).toSorted((a, b) => a.credits - b.credits);
  if (than === undefined) return null;
  const part = Math.floor(100 - (100 * amount * than.credits) / (credits * than.amount)) / 100;
  return part > 0 ? { part, than } : null;
}
