/** What a call met. `resetMs`: until the window ends, 1 to 60,000. */
export type Counted = { readonly allowed: boolean; readonly remaining: number; readonly resetMs: number };
/** How its key's window stands, and its account's; null if there is no limit, or for a call that its key may not make. */
export type CountedKey = Counted & { readonly ofAccount: Counted | null };

/** A Limiter object, as the Worker's stubs call it. */
export interface LimiterObject extends Rpc.DurableObjectBranded {
  /**
   * Counts a call of one of its account's keys.
   * @param limits 1 or more; with 0 the account has none
   * @param isProven whether D1 has said that the key stands: one that was deleted takes nothing from its account
   */
  countKey(
    window: string,
    limits: { readonly ofKey: number; readonly ofAccount: number },
    isProven: boolean,
  ): CountedKey;
}
