import type { AdminApi } from '../../admin/connection/api.ts';
import type { Answered, Figures, Result } from './callers.ts';
import type { Account } from './stage.ts';
import type { FakeMail } from './fake-mail.ts';

// What callers, mail servers and ledgers saw of a scene, side by side: every list was answered truly, and paid for once.

/** By the interface: these reasons return the credit. */
const FREE = new Set(['policy_rejected', 'no_banner', 'ehlo_rejected', 'mail_from_rejected']);
const FAULTS_SHOWN = 10;
const ROWS_PER_PAGE = 500;

export type Books = { readonly charged: number; readonly exact: number };

/** An address that was not probed: its time ran out, and it says when to ask again. */
const isUnprobed = (one: Result): boolean => one.reason === 'timeout' && one.retry_after !== null;

/** What the interface says that a list costs, reckoned without the service's own rules. */
function priceOf({ results }: Answered): number {
  const distinct = new Map(results.map((one) => [one.email, one]));
  return [...distinct.values()].filter(
    (one) => one.reason !== 'invalid_syntax' && !(one.reason !== null && FREE.has(one.reason)) && !isUnprobed(one),
  ).length;
}

/** Elements that stand in the wrong place or say what is not true. @param mayBeUnprobed time may run out in this scene */
export function faultsOfResults({ emails, results }: Answered, mayBeUnprobed: boolean): readonly string[] {
  if (results.length !== emails.length) return [`${emails.length} entries, ${results.length} results`];
  return results.flatMap((one, at) => {
    if (one.email !== emails[at]) return [`element ${at} answers another entry`];
    const truth = /^y\d/.test(one.email) ? 'deliverable' : 'undeliverable';
    if (one.result === truth || (mayBeUnprobed && isUnprobed(one))) return [];
    return [`${one.result}, ${one.reason} where ${truth} is true`];
  });
}

/** Mailboxes that were asked about more often than calls and lost hosts explain. */
export function faultsOfAskings(answered: readonly Answered[], world: FakeMail, timesMost: number): readonly string[] {
  return answered.flatMap(({ emails, calls }) =>
    [...new Set(emails)]
      .map((email) => world.askings.get(email) ?? 0)
      .filter((times) => times > calls * timesMost)
      .map((times) => `an address was asked about ${times} times in ${calls} calls`),
  );
}

/** Goes through the accounts' whole ledgers. To be called when nothing is under way any more. */
export async function auditBooks(
  admin: AdminApi,
  accounts: readonly Account[],
  { answered, failed }: Pick<Figures, 'answered' | 'failed'>,
): Promise<{ readonly books: Books; readonly faults: readonly string[] }> {
  const batches = new Map<string, number>();
  const faults: string[] = [];
  for (const { id } of accounts) {
    const rows = await readRows(admin, id);
    const { balance, openHolds } = await admin.showAccount(id);
    const sum = rows.reduce((total, row) => total + row.delta, 0);
    if (sum !== balance) faults.push(`${id}: rows add up to ${sum}, its balance is ${balance}`);
    if (openHolds.batches > 0) faults.push(`${id}: ${openHolds.batches} batches are neither settled nor swept`);
    for (const { kind, ref, delta } of rows) {
      if (kind !== 'hold' && kind !== 'return') continue;
      batches.set(ref, (batches.get(ref) ?? 0) - delta);
    }
  }
  const costOf = (id: string): number => batches.get(id) ?? 0;
  for (const id of failed) if (costOf(id) !== 0) faults.push(`${id}: answered with 500, and cost ${costOf(id)}`);
  let [exact, before] = [0, 0];
  for (const one of answered) {
    before += one.before;
    const price = priceOf(one);
    const cost = costOf(one.batchId);
    // An element that an earlier call paid for, and whose time ran out in this one, is paid for and not in the price.
    const most = price - one.before + one.results.filter(isUnprobed).length;
    if (cost >= Math.max(0, price - one.before) && cost <= Math.max(0, Math.min(price, most))) exact += 1;
    // Its hold was swept.
    else if (cost !== 0) faults.push(`${one.batchId}: cost ${cost} after ${one.before}, its results ${price}`);
  }
  const charged = [...batches.values()].reduce((total, cost) => total + cost, 0);
  const ofAnswers = answered.reduce((total, { batchId }) => total + costOf(batchId), 0);
  if (charged - ofAnswers !== before)
    faults.push(
      `${charged - ofAnswers} credits were charged for answers that did not come, and repeats knew of ${before}`,
    );
  return { books: { charged, exact }, faults };
}

/** The first of them stand for all. */
export function firstOf(faults: readonly string[]): readonly string[] {
  const rest = faults.length - FAULTS_SHOWN;
  return rest <= 0 ? faults : [...faults.slice(0, FAULTS_SHOWN), `and ${rest} more of these`];
}

type Rows = Awaited<ReturnType<AdminApi['statement']>>['rows'];

async function readRows(admin: AdminApi, accountId: string): Promise<Rows> {
  const rows: Rows[number][] = [];
  let before: string | undefined;
  for (;;) {
    const page = await admin.statement(accountId, ROWS_PER_PAGE, before);
    rows.push(...page.rows);
    if (page.next === null) return rows;
    before = page.next;
  }
}
