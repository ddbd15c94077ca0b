import { comeBackTo } from './paths.ts';

// Why somebody buys: what ran out of credits, and how many it needs. It stands in the address of the page.

/** The page that sells credits, for what the reader has on this one. @param needed more credits than there are */
export function buyPath(needed: number): string {
  return `/buy?back=${location.pathname}&need=${Math.max(0, Math.ceil(needed))}`;
}

export type Reason = { readonly back: string | null; readonly needed: number };

/** @param query of the page's address */
export function reasonOf(query: string): Reason {
  const params = new URLSearchParams(query);
  const needed = Number(params.get('need'));
  return { back: comeBackTo(params.get('back')), needed: Number.isSafeInteger(needed) && needed > 0 ? needed : 0 };
}
