import { identityOf } from '../client/list/entry.ts';
import { findAddressColumn } from '../lists/columns/address-column.ts';
import { addressesInRow } from '../lists/columns/address.ts';
import { type Column, type Layout, type RowAnswer, valueOf } from '../lists/columns/result-columns.ts';
import type { Row } from '../lists/reading/row.ts';
import type { Table } from '../lists/reading/table.ts';
import { UnreadableList } from '../lists/reading/unreadable.ts';
import { STATUSES } from '../words/verdicts.ts';
import { topRows } from './top-rows.ts';
import { refuseFormula } from './scan-table.ts';
import { unshared } from './unshared.ts';

/** What a row can be kept for: a status, or the lack of one. */
export const KEPT: readonly string[] = [...STATUSES, 'no_address', 'not_asked'];

/** Which rows an output has. */
export type Keep = {
  /** Of KEPT; null: all of them. */
  readonly words: ReadonlySet<string> | null;
  /** 0 to 100; above 0 a row without a score is left out. */
  readonly scoreLeast: number;
  readonly hasRole: boolean;
  readonly hasDisposable: boolean;
  /** Rows with these addresses, in the form of `identityOf`, are left out. */
  readonly notIn: ReadonlySet<string>;
};

export const KEEP_ALL: Keep = { words: null, scoreLeast: 0, hasRole: true, hasDisposable: true, notIn: new Set() };

/**
 * Whether a row is kept. Where it has no new answer, that of an earlier run in its cells counts. Pure.
 * @param emails the addresses in the row
 */
export function isKept(
  keep: Keep,
  row: Row,
  emails: readonly string[],
  answer: RowAnswer | null,
  layout: Layout,
): boolean {
  if (isUnwanted(emails, keep.notIn)) return false;
  const cellOf = (column: Column): string => {
    if (answer !== null && typeof answer !== 'string') return String(valueOf(answer, column) ?? '');
    const place = layout.places[layout.columns.indexOf(column)] ?? -1;
    return place < layout.theirs ? (row.cells[place] ?? '').trim().toLowerCase() : '';
  };
  const status = cellOf('status') || (emails.length === 1 ? 'not_asked' : 'no_address');
  return (
    (keep.words === null || keep.words.has(status)) &&
    (keep.scoreLeast === 0 || Number(cellOf('score') || -1) >= keep.scoreLeast) &&
    (keep.hasRole || cellOf('role_based') !== 'true') &&
    (keep.hasDisposable || cellOf('disposable') !== 'true')
  );
}

/** Whether a row is left out for one of its addresses. */
export function isUnwanted(emails: readonly string[], notIn: Keep['notIn']): boolean {
  return notIn.size > 0 && emails.some((email) => notIn.has(identityOf(email)));
}

/** Every address of a list whose addresses are not wanted, those in cells with several too. @throws UnreadableList */
export async function unwantedIn(table: Table): Promise<ReadonlySet<string>> {
  const found = findAddressColumn(table.names, await topRows(table));
  if (found.kind !== 'found') {
    if (found.kind === 'none') throw new UnreadableList('unclear', 'It has no column of addresses.');
    const why =
      found.columns.length > 1
        ? 'It has several columns of addresses: keep the one that is meant.'
        : 'Its only column of addresses has the same one in most rows: if it is meant, leave out the others.';
    throw new UnreadableList('unclear', why);
  }
  const { column } = found;
  const unwanted = new Set<string>();
  for await (const batch of table.rows())
    for (const row of batch) {
      refuseFormula(row, column);
      for (const email of addressesInRow(row.cells, column, table.width)) unwanted.add(unshared(identityOf(email)));
    }
  return unwanted;
}
