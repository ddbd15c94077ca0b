import { settle, type Settlement } from '../ledger/settle.ts';
import { isRefused } from '../ledger/transient.ts';
import { describe, log } from '../base/log.ts';
import type { LogFields } from '../base/log-fields.ts';
import type { Home } from '../base/databases.ts';
import { pause } from '../base/pause.ts';
import { within } from '../base/within.ts';

// D1 runs one statement after the other, and every batch has something to settle. So the batches that an isolate
// answered within a moment are settled together. The first of them does it for all: the others' calls are over, and if
// the first is lost, the sweep returns all of them.

/** How long batches are collected. */
const TOGETHER_MS = 50;
/**
 * How long an answer handed to the runtime has to go out before its batch is charged: a Worker that dies in between
 * must not have charged for it. A 402 waits half a second for returning credits: this and D1's trip fit into that.
 */
const LAST_HOP_MS = 250;
/** Well below D1's limit for a statement's bound text. */
const TOGETHER_MAX = 200;
/** As long as the runtime keeps work alive after its call has ended: an older group has lost its call. */
const LOST_AFTER_MS = 30_000;
/** A settlement that takes this long is in trouble: callers that wait for it are answered from the stored state. */
const SETTLED_TIMEOUT_MS = 3_000;

/** `accountId`: absent if unknown. */
type Closing = Settlement & { readonly accountId?: string };
/** An answered batch. Its log line is written when the outcome of its settlement is known. */
export type Settling = Closing & { readonly accountId: string; readonly note?: LogFields };
export type Group = {
  readonly closesAtMs: number;
  readonly settling: Settling[];
  /** Fulfilled once D1 has answered. */
  readonly settled: Promise<void>;
};

/**
 * The groups that are not settled yet, by the isolate's database; the last one may still be collecting. They hold one
 * entry for each batch answered and not yet settled.
 */
const waiting = new WeakMap<D1Database, Set<Group>>();

/** Settles an answered batch a moment later, or leaves it to a call that is about to settle others. */
export async function settleLater(home: Home, ended: Settling): Promise<void> {
  const { db } = home;
  const now = Date.now();
  const groups = waiting.get(db) ?? new Set();
  waiting.set(db, groups);
  for (const group of groups) if (now - group.closesAtMs > LOST_AFTER_MS) groups.delete(group);
  const last = [...groups].at(-1);
  if (last !== undefined && now < last.closesAtMs && last.settling.length < TOGETHER_MAX) {
    last.settling.push(ended);
    return;
  }
  const { promise: settled, resolve } = Promise.withResolvers<void>();
  const group: Group = { closesAtMs: now + TOGETHER_MS, settling: [ended], settled };
  groups.add(group);
  await pause(TOGETHER_MS + LAST_HOP_MS);
  await settleAll(home, group.settling);
  groups.delete(group);
  resolve();
}

/** The batches that this isolate has answered and not settled yet, in their groups. */
export function unsettled(db: D1Database): readonly Group[] {
  return [...(waiting.get(db) ?? [])];
}

/**
 * Waits until the batches of an account among these are settled: no sooner than they would be anyway, because an answer
 * that has not reached its caller must not be charged.
 * @param among the batches unsettled at some time: before D1 was read, to tell whether it has to be read again
 * @returns whether there were any
 */
export async function settlementsOf(among: readonly Group[], accountId: string): Promise<boolean> {
  const groups = among.filter(({ settling }) => settling.some((ended) => ended.accountId === accountId));
  // A call that settles for others can be ended before it has: then the sweep returns their credits.
  await within(SETTLED_TIMEOUT_MS, Promise.all(groups.map(({ settled }) => settled))).catch(() => {});
  return groups.length > 0;
}

/** Closes a batch at once. If it cannot be settled, the sweep returns it in full. */
export function settleNow(home: Home, closing: Closing): Promise<void> {
  return settleAll(home, [closing]);
}

type Noted = Closing & Pick<Settling, 'note'>;

async function settleAll(home: Home, settling: readonly Noted[]): Promise<void> {
  const begunMs = Date.now();
  try {
    const closed = new Set(await settle(home.db, settling));
    for (const { batchId } of settling)
      if (!closed.has(batchId)) log('warn', 'already_settled', { requestId: batchId });
  } catch (error) {
    if (settling.length > 1 && isRefused(error)) {
      // One that violates a constraint must not hold up the others.
      for (const one of settling) await settleAll(home, [one]);
      return;
    }
    for (const { batchId } of settling) log('error', 'settle_failed', { requestId: batchId, ...describe(error) });
  }
  const settleMs = Date.now() - begunMs;
  for (const { batchId, note } of settling) if (note !== undefined) logBatch(batchId, { ...note, settleMs });
}

/** The one line of a batch. */
export function logBatch(requestId: string, note: LogFields): void {
  log('info', 'batch', { requestId, ...note });
}
