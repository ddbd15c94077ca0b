// Each account has a checkpoint: `proven`, the sum of its ledger rows whose ref_id is before `proven_to`. The audit
// moves it forward by reading rows, a bounded number at a time; a statement that books or replaces rows behind it adds them in
// the same statement that moves the balance. So it always holds, even if something happens between two runs.

/** After every ref_id, whose characters are letters, digits, _ and -: all rows are proven. */
export const EVERYTHING = '~';

/**
 * SQL: what of the credits booked under a ref_id the checkpoint has already passed.
 * @param account the table or alias of the accounts row
 */
export function passed(account: string, refId: string, credits: string): string {
  return `iif(${refId} < ${account}.proven_to, ${credits}, 0)`;
}
