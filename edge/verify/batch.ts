import type { AccountClass } from '../../schema/account-class.ts';
import type { Bearer } from '../access/known-keys.ts';
import type { Call } from '../base/call.ts';
import type { Home } from '../base/databases.ts';
import type { SlotIndex } from '../base/indexes.ts';
import type { Idempotency } from '../ledger/attempt.ts';
import type { Counts } from '../ledger/usage.ts';
import type { ReasonCounts } from './analytics.ts';
import type { FleetFigures } from './dispatch.ts';
import type { Entries } from './entries.ts';
import { billable } from './price.ts';

// The one record of a batch. It grows from the key to the settlement: asked, held, ended.

/** What a request contains. `idempotency`: how a repeat of it is recognized; null: every request is a new one. */
export type Content = { readonly entries: Entries; readonly idempotency: Idempotency | null };

/** `waitS`: how long the caller is willing to wait; null if it does not say. */
export type Asked = Content & { readonly call: Call; readonly bearer: Bearer; readonly waitS: number | null };

/** The credits are held, or none are needed. */
export type Held = Asked & {
  /** Where they are held. */
  readonly home: Home;
  readonly accountId: string;
  readonly accountClass: AccountClass;
  /** The name under which the key's use is counted; null if nothing is counted. */
  readonly keyId: string | null;
  /** How long that took. */
  readonly holdMs: number;
  /** The elements that earlier requests with the same Idempotency-Key paid for. */
  readonly paid: ReadonlySet<SlotIndex>;
  /** The elements that a credit each is held for; none for a test key. */
  readonly due: ReadonlySet<SlotIndex>;
};

/** The answer, or a part of it, was delivered; or nothing was, because the caller disconnected. */
export type Ended = Held & { readonly delivered: Delivered; readonly fleet: FleetFigures };

export type Delivered = {
  /** What was delivered and costs its credit; the rest is refunded. */
  readonly charged: readonly SlotIndex[];
  /** Results, one per slot. */
  readonly counts: Counts;
  readonly reasons: ReasonCounts;
  /** The caller was there until the end. */
  readonly isWhole: boolean;
};

export const NOTHING_DELIVERED: Delivered = {
  charged: [],
  counts: { valid: 0, risky: 0, invalid: 0, unknown: 0 },
  reasons: {},
  isWhole: false,
};

/** A test key costs nothing, but the rules for repeated requests apply to it too. */
export function billableOf({ bearer, entries, call }: Asked): readonly SlotIndex[] {
  return bearer.kind === 'test' ? [] : billable(entries, call.config.CHARGE);
}

/** When the batch must be answered, by the Worker's clock. */
export function deadlineMsOf({ call, waitS }: Asked): number {
  return call.startedMs + (waitS ?? call.config.BATCH_DEADLINE_S) * 1000;
}

/** Whether the caller chose a deadline of its own. */
export function isHurried({ call, waitS }: Asked): boolean {
  return waitS !== null && waitS !== call.config.BATCH_DEADLINE_S;
}

/**
 * Until when an answer that is being read may be written, by the Worker's clock: half the grace is for a caller that
 * reads slowly, half for the settlement, before a sweep returns everything.
 */
export function writtenByMsOf({ startedMs, config }: Call): number {
  return startedMs + config.BATCH_DEADLINE_S * 1000 + config.HOLD_GRACE_S * 500;
}
