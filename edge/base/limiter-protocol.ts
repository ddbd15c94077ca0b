/** What a call met. `resetMs`: until the window ends, 1 to 60,000. */
export type Counted = { readonly allowed: boolean; readonly remaining: number; readonly resetMs: number };

/** A Limiter object, as the Worker's stubs call it. */
export interface LimiterObject extends Rpc.DurableObjectBranded {
  /** Counts calls against `limit` (1 or more): one, or those that were let through meanwhile. An old object counts one. */
  count(limit: number, calls?: number): Counted;
}
