import type { StatementRow } from '../../../schema/pages-api.ts';
import { count, counted, credits, onDay } from '../words/numbers.ts';
import type { Verified } from './lines.ts';

export const LEDGER_WORDS: Readonly<Record<StatementRow['kind'], string>> = {
  purchase: 'Bought',
  gift: 'Gift',
  correction: 'Correction',
  expiry: 'Expired',
  hold: 'Verification',
  return: 'Returned',
};

/** Why a row is what it is, in a sentence. Pure. */
export function explanationOf({ kind, ref, batch }: StatementRow): string {
  switch (kind) {
    case 'purchase':
      return `Credits added, order ${ref}.`;
    case 'gift':
      return 'Welcome credits, free of charge.';
    case 'correction':
      return `Corrected by the operator, ${ref}.`;
    case 'expiry':
      return 'No purchase for 12 months, so the remaining credits expired.';
    case 'hold':
      return batch === null ? `All requests of ${dayOf(ref)}.` : heldFor(batch);
    case 'return':
      return batch === null ? `Everything returned on ${dayOf(ref)}.` : returnedFrom(batch);
  }
}

type Batch = NonNullable<StatementRow['batch']>;

function heldFor({ addresses, held, returned, state }: Batch): string {
  const first = `${counted(addresses, 'address', 'addresses')}, ${credits(held)} charged up front.`;
  if (state === 'open') return `${first} In progress.`;
  return `${first} Price: ${credits(held - (returned ?? 0))}.`;
}

function returnedFrom({ held, state }: Batch): string {
  if (state === 'returned') return 'The request got no answer, so everything was returned.';
  return `Of ${credits(held)} charged up front: for mail servers that would not talk to us, and addresses that could not be checked.`;
}

/** What a line of several requests is, in a sentence or two. Pure. */
export function lineExplanation({ requests, addresses, held, returned, isUnderWay }: Verified): string {
  // An address that was asked again later counts again: there is nothing by which the ledger could tell.
  const of = `${counted(addresses, 'check', 'checks')} in ${counted(requests, 'request', 'requests')}.`;
  const money = `${credits(held)} charged up front, ${count(returned)} returned.`;
  return `${of} ${money}${isUnderWay ? ' In progress.' : ''}`;
}

function dayOf(ref: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(ref) ? onDay(ref) : ref;
}

export const STATEMENT_COLUMNS = [
  'time',
  'kind',
  'credits',
  'balance',
  'reference',
  'addresses',
  'explanation',
  'list',
] as const;

/** A row for a CSV file: numbers plain, times in UTC. Pure. */
export function recordOf(row: StatementRow): string[] {
  const { at, kind, delta, balance, ref, batch } = row;
  return [
    at,
    kind,
    String(delta),
    String(balance),
    ref,
    String(batch?.addresses ?? ''),
    explanationOf(row),
    batch?.list ?? '',
  ];
}
