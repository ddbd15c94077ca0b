import type { CallResult } from '../wire/call.ts';
import type { RcptError } from '../base/errors.ts';
import { type Cost, NO_COST } from '../journal/requests.ts';

/** A request and what its attempts came to, the last included. */
type Attempted = {
  readonly entries: number;
  /** Entries that no attempt has answered. */
  readonly unanswered: number;
  /** Attempts that may have been charged: not refused, and their bill was not read. */
  readonly lost: number;
};

/** What comes after an attempt. */
export type Step =
  /** All is answered, or the service accepts the key no more. `isPaidTwice`: the rest may be paid again under another key. */
  | { readonly kind: 'ended'; readonly cost: Cost; readonly isPaidTwice: boolean }
  /** The same body again under the same key. `cost`: if that is not to be; null: unknown. */
  | { readonly kind: 'repeat'; readonly cost: Cost | null; readonly isLost: boolean };

const REPEAT = { kind: 'repeat', cost: null, isLost: false } as const;

/** Pure. */
export function stepAfter(attempted: Attempted, called: CallResult): Step {
  const { error, bill, isRefused, chargedBefore } = called;
  if (error === null) return { kind: 'ended', cost: costOf(attempted, bill, chargedBefore), isPaidTwice: false };
  if (isInProgress(error)) return REPEAT;
  if (!isRefused) return { ...REPEAT, isLost: bill === null };
  if (attempted.lost === 0 || (isRefusedBody(error) && attempted.unanswered === attempted.entries))
    return { ...REPEAT, cost: NO_COST };
  return isRefusedForEver(error) ? lapsed(attempted, chargedBefore) : REPEAT;
}

/** @param chargedBefore as the refusal of the last attempt says; null: not said */
export function lapsed(
  { entries, unanswered }: Attempted,
  chargedBefore: number | null,
): Step & { readonly kind: 'ended' } {
  const charged = Math.min(chargedBefore ?? 0, entries);
  const unconfirmed = chargedBefore === null ? entries : 0;
  return {
    kind: 'ended',
    cost: { charged, returned: 0, unconfirmed },
    isPaidTwice: unanswered > 0 && charged + unconfirmed > 0,
  };
}

/** What all attempts cost together, when the last has its bill. */
function costOf({ entries, lost }: Attempted, bill: CallResult['bill'], chargedBefore: number | null): Cost {
  const { charged, returned } = bill ?? NO_COST;
  if (chargedBefore !== null && chargedBefore + charged <= entries)
    return { charged: chargedBefore + charged, returned, unconfirmed: 0 };
  // A service that does not say what it charged before ignores keys: each attempt counts.
  return { charged, returned, unconfirmed: lost * entries };
}

/** The service still works on an earlier attempt. */
export function isInProgress({ code }: RcptError): boolean {
  return code === 'IDEMPOTENCY_IN_PROGRESS';
}

/** Another body, no attempts left, or a body that the service does not accept any more. */
function isRefusedForEver(error: RcptError): boolean {
  return error.code === 'IDEMPOTENCY_MISMATCH' || error.code === 'IDEMPOTENCY_EXHAUSTED' || isRefusedBody(error);
}

/** The body itself is refused: if no attempt has answered anything, all of them were refused. */
function isRefusedBody({ status }: RcptError): boolean {
  return status === 400 || status === 413;
}
