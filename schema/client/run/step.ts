import type { CallResult } from '../wire/call.ts';
import type { RcptError } from '../base/errors.ts';
import { type Cost, NO_COST } from '../journal/requests.ts';

/** A request and what its attempts have come to, the last included. */
export type Attempted = {
  readonly entries: number;
  /** Entries that no attempt has answered. */
  readonly unanswered: number;
  /** Earlier attempts that were not refused and whose bill was not read: each may have been charged. */
  readonly lost: number;
};

/** What comes after an attempt. */
export type Step =
  /** Everything is answered, and the cost is known. */
  | { readonly kind: 'done'; readonly cost: Cost }
  /** Nothing was charged under this key: its entries may be asked under another one. */
  | { readonly kind: 'free' }
  /** The same body goes out again under the same key. */
  | { readonly kind: 'repeat'; readonly isLost: boolean }
  /** An earlier attempt is still under way at the service: the same again, when that has ended. */
  | { readonly kind: 'wait' }
  /** The service takes the key no more. `isPaidTwice`: asking the rest under another key may pay for it again. */
  | { readonly kind: 'lapsed'; readonly cost: Cost; readonly isPaidTwice: boolean }
  /** It cannot be repeated now, and can be later. */
  | { readonly kind: 'open' };

/** Pure. */
export function stepAfter(attempted: Attempted, called: CallResult): Step {
  const { error, bill, isRefused, chargedBefore } = called;
  if (error === null) return { kind: 'done', cost: costOf(attempted, bill, chargedBefore) };
  if (isUnderWay(error)) return { kind: 'wait' };
  if (!isRefused) return { kind: 'repeat', isLost: bill === null };
  if (attempted.lost === 0 || (isRefusedBody(error) && attempted.unanswered === attempted.entries))
    return { kind: 'free' };
  if (isRefusedForEver(error)) return lapsed(attempted, chargedBefore);
  return error.retryable ? { kind: 'repeat', isLost: false } : { kind: 'open' };
}

/** @param chargedBefore by the service's word, with the last attempt's refusal; null: not said */
export function lapsed(
  { entries, unanswered }: Attempted,
  chargedBefore: number | null,
): Step & { readonly kind: 'lapsed' } {
  const charged = Math.min(chargedBefore ?? 0, entries);
  const unsure = chargedBefore === null ? entries : 0;
  return {
    kind: 'lapsed',
    cost: { charged, returned: 0, unsure },
    isPaidTwice: unanswered > 0 && charged + unsure > 0,
  };
}

/** What all attempts have cost together, when the last has its bill. */
function costOf({ entries, lost }: Attempted, bill: CallResult['bill'], chargedBefore: number | null): Cost {
  const { charged, returned } = bill ?? NO_COST;
  if (chargedBefore !== null && chargedBefore + charged <= entries)
    return { charged: chargedBefore + charged, returned, unsure: 0 };
  // A service that does not say what it charged before knows no keys: each attempt counts by itself.
  return { charged, returned, unsure: lost * entries };
}

/** An earlier attempt, or another request on its way as a gateway says. */
export function isUnderWay({ code }: RcptError): boolean {
  return code === 'IDEMPOTENCY_IN_PROGRESS' || code === 'CONFLICT';
}

/** Of another body, attempts used up, or a body that the service does not take any more. */
function isRefusedForEver(error: RcptError): boolean {
  return error.code === 'IDEMPOTENCY_MISMATCH' || error.code === 'IDEMPOTENCY_EXHAUSTED' || isRefusedBody(error);
}

/** A body that is refused for what it is: if it has never answered anything, it was refused each time before. */
function isRefusedBody({ status }: RcptError): boolean {
  return status === 400 || status === 413;
}
