import type { AdminApi } from '../../admin/connection/api.ts';
import type { Customer } from './accounts.ts';
import type { Answered } from './load.ts';

// What the ledger says afterwards, beside what the callers got.

export type Books = {
  readonly batches: number;
  /** Credits held for them, and kept of those. */
  readonly held: number;
  readonly charged: number;
  /** Batches answered whole that cost exactly the price of their results. */
  readonly exact: number;
  /** Batches answered whole whose settlement was lost, so that the sweep returned everything. */
  readonly free: number;
  /** Batches that nobody got a whole answer to, and that cost nothing. */
  readonly returned: number;
  /** Batches charged without a whole answer: the service's fault, and it is to have none. */
  readonly chargedWithoutAnswer: readonly string[];
  /** What must never be: balances that do not add up, batches still open, wrong prices. */
  readonly faults: readonly string[];
};

const ROWS_PER_PAGE = 500;
type Batch = { held: number; back: number };

/** Goes through the accounts' whole ledgers. To be called when nothing is under way any more. */
export async function auditBooks(
  admin: AdminApi,
  customers: readonly Customer[],
  answered: readonly Answered[],
): Promise<Books> {
  const batches = new Map<string, Batch>();
  const faults: string[] = [];
  for (const { accountId } of customers) {
    const rows = await readRows(admin, accountId);
    const { balance, openHolds } = await admin.showAccount(accountId);
    const sum = rows.reduce((total, row) => total + row.delta, 0);
    if (sum !== balance) faults.push(`${accountId}: rows add up to ${sum}, its balance is ${balance}`);
    if (openHolds.batches > 0) faults.push(`${accountId}: ${openHolds.batches} batches are neither settled nor swept`);
    for (const { kind, ref, delta } of rows) {
      const batch = batches.get(ref) ?? { held: 0, back: 0 };
      if (kind === 'hold') batches.set(ref, { ...batch, held: batch.held - delta });
      if (kind === 'return') batches.set(ref, { ...batch, back: batch.back + delta });
    }
  }
  return { ...compare(batches, answered, faults), faults };
}

function compare(
  batches: ReadonlyMap<string, Batch>,
  answered: readonly Answered[],
  faults: string[],
): Omit<Books, 'faults'> {
  let [exact, free] = [0, 0];
  const rest = new Map(batches);
  for (const { batchId, price } of answered) {
    const { held, back } = batches.get(batchId) ?? { held: 0, back: 0 };
    const cost = held - back;
    rest.delete(batchId);
    if (cost >= price.least && cost <= price.most) exact += 1;
    else if (cost === 0) free += 1;
    else faults.push(`${batchId}: cost ${cost}, its results ${price.least} to ${price.most}`);
  }
  const all = [...batches.values()];
  const held = all.reduce((sum, batch) => sum + batch.held, 0);
  const charged = held - all.reduce((sum, batch) => sum + batch.back, 0);
  const chargedWithoutAnswer = [...rest].filter(([, batch]) => batch.held !== batch.back).map(([id]) => id);
  const returned = rest.size - chargedWithoutAnswer.length;
  return { batches: batches.size, held, charged, exact, free, returned, chargedWithoutAnswer };
}

async function readRows(
  admin: AdminApi,
  accountId: string,
): Promise<Awaited<ReturnType<AdminApi['statement']>>['rows']> {
  const rows = [];
  let before: string | undefined;
  for (;;) {
    const page = await admin.statement(accountId, ROWS_PER_PAGE, before);
    rows.push(...page.rows);
    if (page.next === null) return rows;
    before = page.next;
  }
}
