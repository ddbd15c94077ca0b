import type { AdminApi } from '../../admin/connection/api.ts';
import type { Customer } from './accounts.ts';
import type { Answered, LoadFigures } from './load.ts';

// What the ledger says afterwards, beside what the callers got: each element of a list was paid for once at most, in all of
// its calls together.

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
  /** Credits of batches whose answer did not come whole: repeats with the same key have paid for nothing of it again. */
  readonly paidBefore: number;
  /** What must never be: balances that do not add up, batches still open, wrong prices. */
  readonly faults: readonly string[];
};

const ROWS_PER_PAGE = 500;
type Batch = { held: number; back: number };

/** Goes through the accounts' whole ledgers. To be called when nothing is under way any more. */
export async function auditBooks(
  admin: AdminApi,
  customers: readonly Customer[],
  { answered, failed }: Pick<LoadFigures, 'answered' | 'failed'>,
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
  for (const id of failed) {
    const { held = 0, back = 0 } = batches.get(id) ?? {};
    if (held !== back) faults.push(`${id}: cost ${held - back}, and was answered with 500`);
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
  let saidBefore = 0;
  for (const { batchId, price, before } of answered) {
    const { held, back } = batches.get(batchId) ?? { held: 0, back: 0 };
    const cost = held - back;
    rest.delete(batchId);
    saidBefore += before;
    // Each element once for its key: what was paid before is not paid again.
    if (cost >= price.least - before && cost <= price.most - before) exact += 1;
    else if (cost === 0) free += 1;
    else faults.push(`${batchId}: cost ${cost} after ${before}, its results ${price.least} to ${price.most}`);
  }
  const all = [...batches.values()];
  const held = all.reduce((sum, batch) => sum + batch.held, 0);
  const charged = held - all.reduce((sum, batch) => sum + batch.back, 0);
  const paidBefore = [...rest.values()].reduce((sum, batch) => sum + batch.held - batch.back, 0);
  if (paidBefore !== saidBefore)
    faults.push(`${paidBefore} credits were charged for answers that did not come, and repeats knew of ${saidBefore}`);
  const returned = [...rest.values()].filter((batch) => batch.held === batch.back).length;
  return { batches: batches.size, held, charged, exact, free, returned, paidBefore };
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
