/** What a call met. `resetMs`: until the window ends, 1 to 60,000. */
export type Counted = { readonly allowed: boolean; readonly remaining: number; readonly resetMs: number };
/** How its key's window stands, and its account's; null if there is no limit, or for a call that its key may not make. */
export type CountedKey = Counted & { readonly ofAccount: Counted | null };

/** What the key of a form allows: checks of one visitor's network, and credits a day (UTC). */
export type FormLimits = { readonly perMinute: number; readonly perHour: number; readonly creditsPerDay: number };
/**
 * What a form's check met. `day`: the beginning of the day whose credit it has, in milliseconds since 1970. `resetMs`: until
 * what refused it ends; 0 if nothing did.
 */
export type CountedCheck = {
  readonly refused: 'visitor' | 'day' | null;
  readonly day: number;
  readonly resetMs: number;
};

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
  /**
   * Counts a check of a form, in the object of the form's key, and reserves what it may cost.
   * @param visitor names the visitor's network, today alone; null: not known
   */
  countCheck(visitor: string | null, credits: number, limits: FormLimits): Promise<CountedCheck>;
  /** What of a reservation was not spent. */
  returnCredits(day: number, credits: number): void;
}
