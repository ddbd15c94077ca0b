/** What a call met. `resetMs`: until the window ends, 1 to 60,000. */
export type Counted = { readonly allowed: boolean; readonly remaining: number; readonly resetMs: number };
/** How its key's window stands, and how many calls its account has made in its own; null for a call that its key may not make. */
export type CountedKey = Counted & { readonly ofAccount: { readonly used: number; readonly resetMs: number } | null };

/** A Limiter object, as the Worker's stubs call it. */
export interface LimiterObject extends Rpc.DurableObjectBranded {
  /** Counts a call of an account against `limit` (1 or more). */
  count(limit: number): Counted;
  /**
   * Counts calls of one of its keys: this one, and those that were answered without asking.
   * @param isProven whether D1 has said that the key stands: one that was deleted takes nothing from its account
   */
  countKey(window: string, limit: number, calls: number, isProven: boolean): CountedKey;
}
