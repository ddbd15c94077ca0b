import { RequestError } from '../../schema/errors.ts';
import type { AccountClass } from '../../schema/account-class.ts';
import type { Config } from '../base/config.ts';

// Addresses of an account in flight: D1 counts them, with the hold. Those of test keys are answered at once and hold
// nothing.

/** Batches end every few seconds; a caller that retries after this long costs little and loses little. */
const RETRY_S = 5;

/** The refusal for an account that already has its maximum of addresses in flight. */
export function tooManyInFlight(max: number, inFlight: number, addresses: number): RequestError {
  return new RequestError(
    'RATE_LIMITED',
    `An account can have ${max} addresses in progress at the same time: ` +
      `${inFlight} are, and this request has ${addresses}.`,
    { 'retry-after': String(RETRY_S) },
  );
}

/** How many addresses an account of this class may have in flight; 0: any number. Pure. */
export function mostInFlight(
  { MAX_IN_FLIGHT: all, MAX_IN_FLIGHT_FREE: free }: Pick<Config, 'MAX_IN_FLIGHT' | 'MAX_IN_FLIGHT_FREE'>,
  accountClass: AccountClass,
): number {
  if (accountClass === 'bought' || free === 0) return all;
  return all === 0 ? free : Math.min(all, free);
}
