import type { StatementRow } from '../../../schema/pages-api.ts';

/** What a row of the ledger is, in a word. */
export const LEDGER_WORDS: Readonly<Record<StatementRow['kind'], string>> = {
  purchase: 'Bought',
  gift: 'Gift',
  correction: 'Correction',
  expiry: 'Expired',
  hold: 'Verification',
  return: 'Returned',
};
