import { expect } from 'vitest';
import type { SlotIndex } from '../base/indexes.ts';
import type { HoldAnswer } from '../ledger/hold.ts';
import { LASTS_MS } from './attempting-account.ts';

// How the ledger should handle Idempotency-Keys: a few lists in memory, one thing after the other.

const DAY_MS = 86_400_000;

type Known = {
  body: number;
  begunAt: number;
  attempts: number;
  charged: Set<SlotIndex>;
  batchId: string;
  freeUntil: number;
};
type Hold = { key: string; due: readonly SlotIndex[]; expiresAt: number; closedBy: 'settle' | 'sweep' | null };
export type Asked = { readonly body: number; readonly billable: readonly SlotIndex[] };
export type Claimed = { readonly batchId: string; readonly due: readonly SlotIndex[] };

export class AttemptModel {
  readonly keys = new Map<string, Known>();
  readonly holds = new Map<string, Hold>();
  balance: number;

  constructor(credits: number) {
    this.balance = credits;
  }

  expected(
    key: string,
    { body, billable }: Asked,
    now: number,
  ): { kind: HoldAnswer['kind']; due: readonly SlotIndex[] } {
    const row = this.keys.get(key);
    const isKnown = row !== undefined && row.begunAt > now - DAY_MS;
    const due = billable.filter((place) => !isKnown || !row.charged.has(place));
    if (isKnown && row.body !== body) return { kind: 'another_body', due };
    if (row !== undefined && (row.freeUntil > now || this.holds.get(row.batchId)?.closedBy === null))
      return { kind: 'in_progress', due };
    if (isKnown && row.attempts - this.#lost(row) >= 10) return { kind: 'too_many_attempts', due };
    return { kind: this.balance < due.length ? 'too_few_credits' : 'held', due };
  }

  #lost(row: Known): number {
    return row.freeUntil > 0 || this.holds.get(row.batchId)?.closedBy === 'sweep' ? 1 : 0;
  }

  claim(key: string, { body }: Asked, { batchId, due }: Claimed, now: number): void {
    const row = this.keys.get(key);
    const isKnown = row !== undefined && row.begunAt > now - DAY_MS;
    this.keys.set(key, {
      body,
      begunAt: isKnown ? row.begunAt : now,
      attempts: isKnown ? row.attempts - this.#lost(row) + 1 : 1,
      charged: isKnown ? row.charged : new Set(),
      batchId,
      freeUntil: due.length === 0 ? now + LASTS_MS : 0,
    });
    if (due.length > 0) this.holds.set(batchId, { key, due, expiresAt: now + LASTS_MS, closedBy: null });
    this.balance -= due.length;
  }

  /** @param charged null: it failed */
  end(batchId: string, key: string, charged: readonly SlotIndex[] | null): void {
    const [open, row] = [this.holds.get(batchId), this.keys.get(key)];
    const isCurrent = row?.batchId === batchId;
    if (open === undefined ? !isCurrent || row.freeUntil === 0 : open.closedBy !== null) return;
    if (isCurrent) {
      // What is charged was not charged before: the point of it all.
      for (const place of charged ?? []) expect(row.charged.has(place)).toBe(false);
      for (const place of charged ?? []) row.charged.add(place);
      row.attempts -= charged === null ? 1 : 0;
      row.freeUntil = 0;
    }
    if (open === undefined) return;
    open.closedBy = 'settle';
    this.balance += open.due.length - (charged?.length ?? 0);
  }

  sweep(now: number): void {
    for (const one of this.holds.values())
      if (one.closedBy === null && one.expiresAt < now) {
        one.closedBy = 'sweep';
        this.balance += one.due.length;
      }
  }

  drop(now: number): void {
    for (const [key, { begunAt }] of this.keys) if (begunAt <= now - DAY_MS) this.keys.delete(key);
  }
}
