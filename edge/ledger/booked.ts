/** The purchase or correction `?2` of the account `?1`: one id stands for one change, of either sign. */
export const BOOKED = `b.account_id = ?1 AND b.ref_id = ?2 AND b.kind IN ('purchase', 'correction')`;
export const NOT_BOOKED = `NOT EXISTS (SELECT 1 FROM ledger b WHERE ${BOOKED})`;
