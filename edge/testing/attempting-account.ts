import { slotIndex, type SlotIndex } from '../base/indexes.ts';
import { writeBits } from '../ledger/charged-bits.ts';
import { hold, type HoldAnswer } from '../ledger/hold.ts';
import { settle } from '../ledger/settle.ts';
import type { AttemptEnd } from '../ledger/settle-attempt.ts';
import { openTestDatabase, type TestDatabase } from './sqlite-d1.ts';

const DAY_MS = 86_400_000;
export const LASTS_MS = 210_000;
const ELEMENTS = 6;

export const places = (...numbers: readonly number[]): readonly SlotIndex[] => numbers.map(slotIndex);
export const ALL = places(0, 1, 2, 3, 4, 5);

export type Begin = {
  readonly batchId?: string;
  readonly key?: string;
  readonly body?: string;
  readonly list?: string | null;
  readonly billable?: readonly SlotIndex[];
  readonly maxInFlight?: number;
};

/** An account whose requests, of 6 elements, have Idempotency-Keys, in a database of its own. */
export class AttemptingAccount {
  readonly database: TestDatabase;
  readonly db: TestDatabase['db'];
  #batches = 0;

  constructor(credits: number) {
    this.database = openTestDatabase();
    const { db, put, now } = this.database;
    this.db = db;
    const expires_at = now() + 1_000 * DAY_MS;
    put('accounts', { id: 'acme', name: 'acme', created_at: 0, balance: credits, expires_at });
    put('ledger', { account_id: 'acme', ref_id: 'first', kind: 'purchase', delta: credits, at: 0 });
    put('api_keys', { hash: 'k', id: 'k', account_id: 'acme', label: '', hint: '', created_at: 0 });
  }

  nextBatch(): string {
    return `batch-${(this.#batches += 1)}`;
  }

  /** Starts a batch, a new one by default. */
  begin(how: Begin = {}): Promise<HoldAnswer> {
    const {
      batchId = this.nextBatch(),
      key = 'key',
      body = 'body',
      list = null,
      billable = ALL,
      maxInFlight = 0,
    } = how;
    return hold(this.db, {
      batchId,
      keyHash: 'k',
      markUsed: false,
      addresses: billable === ALL ? ELEMENTS : 2,
      maxInFlight,
      lastsMs: LASTS_MS,
      credits: billable.length,
      attempt: { keyHash: key, bodyHash: body, list, billable, elements: ELEMENTS },
    });
  }

  /** Answers the latest batch, or another one; these elements are paid for by now. */
  answer(
    back: number,
    charged: readonly SlotIndex[],
    batchId = `batch-${this.#batches}`,
  ): Promise<ReadonlySet<string>> {
    return settle(this.db, [{ batchId, back, attempt: endOf(charged) }]);
  }

  get balance(): unknown {
    return this.database.rows('SELECT balance FROM accounts')[0]?.['balance'];
  }

  /** The stored row of the account's one key. */
  key(columns: string): unknown {
    return this.database.rows(`SELECT ${columns} FROM idempotency_keys`)[0];
  }
}

/** @param charged by now; null: the attempt failed */
export function endOf(charged: readonly SlotIndex[] | null, key = 'key'): AttemptEnd {
  return {
    account: { id: 'acme' },
    keyHash: key,
    charged: charged === null ? null : writeBits(charged, ELEMENTS),
    isVoid: charged === null,
  };
}
