import { RequestError } from '../../schema/errors.ts';
import type { AccountClass } from '../../schema/account-class.ts';
import type { Config } from '../base/config.ts';

// Addresses of an account under way. Those of live keys D1 counts, with the hold. Those of test keys cost nothing and are
// answered at once, so that they are under way only as long as their answer is not read: each isolate counts its own.

/** Batches end every few seconds; a caller who comes back so much later costs little and loses little. */
const RETRY_S = 5;

/** An account that has as many addresses under way as it may have. */
export function tooManyInFlight(max: number, inFlight: number, addresses: number): RequestError {
  return new RequestError(
    'RATE_LIMITED',
    `An account can have ${max} addresses in progress at the same time: ` +
      `${inFlight} are, and this request has ${addresses}.`,
    { 'retry-after': String(RETRY_S) },
  );
}

/** How many addresses an account of this class may have under way; 0: any number. Pure. */
export function mostInFlight(
  { MAX_IN_FLIGHT: all, MAX_IN_FLIGHT_FREE: free }: Pick<Config, 'MAX_IN_FLIGHT' | 'MAX_IN_FLIGHT_FREE'>,
  accountClass: AccountClass,
): number {
  if (accountClass === 'bought' || free === 0) return all;
  return all === 0 ? free : Math.min(all, free);
}

type Batch = { readonly addresses: number; readonly untilMs: number };

/** What is under way of each account. A batch that was never ended, because its call was, is forgotten at its time. */
export class InFlight {
  readonly #accounts = new Map<string, Set<Batch>>();

  /** Accounts that have anything under way. */
  get size(): number {
    return this.#accounts.size;
  }

  /**
   * @param max addresses of an account; 0: no bound
   * @param untilMs when the batch is over at the latest
   * @returns ends it
   * @throws RequestError RATE_LIMITED
   */
  begin(
    account: string,
    addresses: number,
    max: number,
    { nowMs, untilMs }: { nowMs: number; untilMs: number },
  ): () => void {
    const batches = this.#accounts.get(account) ?? new Set();
    for (const batch of batches) if (batch.untilMs <= nowMs) batches.delete(batch);
    const inFlight = [...batches].reduce((sum, batch) => sum + batch.addresses, 0);
    if (max > 0 && inFlight + addresses > max) throw tooManyInFlight(max, inFlight, addresses);
    const batch = { addresses, untilMs };
    batches.add(batch);
    this.#accounts.set(account, batches);
    return () => {
      batches.delete(batch);
      if (batches.size === 0 && this.#accounts.get(account) === batches) this.#accounts.delete(account);
    };
  }
}
