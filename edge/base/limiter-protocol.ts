/** The count for a call. `resetMs`: until the window ends, 1 to 60,000. */
export type Counted = { readonly allowed: boolean; readonly remaining: number; readonly resetMs: number };
/**
 * The state of its key's window and its account's; null if there is no limit, or for a call that its key may not make.
 */
export type CountedKey = Counted & { readonly ofAccount: Counted | null };

/** The limits of a form's key: checks per visitor network, and credits per day (UTC). */
export type FormLimits = { readonly perMinute: number; readonly perHour: number; readonly creditsPerDay: number };
/**
 * The count for a form's check. `day`: the start of the day that pays for it, in milliseconds since 1970. `resetMs`:
 * until the limit that refused it ends; 0 if none did.
 */
export type CountedCheck = {
  readonly refused: 'visitor' | 'day' | null;
  readonly day: number;
  readonly resetMs: number;
};

/** A limiter that takes longer counts as unreachable: its caller has waited enough. */
export const LIMITER_TIMEOUT_MS = 2_000;

/** A Limiter object, as the Worker's stubs call it. */
export interface LimiterObject extends Rpc.DurableObjectBranded {
  /**
   * Counts a call of one of its account's keys.
   * @param limits 1 or more; with 0 the account has none
   * @param isProven whether D1 has said that the key exists: a deleted one takes nothing from its account
   */
  countKey(
    window: string,
    limits: { readonly ofKey: number; readonly ofAccount: number },
    isProven: boolean,
  ): CountedKey;
  /**
   * Counts a check of a form, in the object of the form's key, and reserves what it may cost.
   * @param visitor identifies the visitor's network, for today only; null: not known
   */
  countCheck(visitor: string | null, credits: number, limits: FormLimits): Promise<CountedCheck>;
  /** The unspent part of a reservation. */
  returnCredits(day: number, credits: number): void;
}
