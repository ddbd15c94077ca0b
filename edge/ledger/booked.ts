/** SQL: the purchase or correction of an account under an id, which stands for one change. */
export const booked = (account: string, id: string): string =>
  `b.account_id = ${account} AND b.ref_id = ${id} AND b.kind IN ('purchase', 'correction')`;
export const notBooked = (account: string, id: string): string =>
  `NOT EXISTS (SELECT 1 FROM ledger b WHERE ${booked(account, id)})`;
