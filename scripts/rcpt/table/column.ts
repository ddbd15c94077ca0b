import { findAddressColumn } from '../../../schema/lists/columns/address-column.ts';
import { Failure } from '../failure/failure.ts';
import type { Table } from '../../../schema/lists/reading/table.ts';

/** Of a name: a file that is no list may have one of any length. */
const NAME_CHARACTERS_MOST = 40;

/**
 * The column that holds the addresses.
 * @param sample rows from the top
 * @param wanted a name, or a number from 1; null: found out
 * @param option which says it
 * @throws Failure that names the candidates
 */
export function chooseColumn(
  { names, hasHeader }: Pick<Table, 'names' | 'hasHeader'>,
  sample: ReadonlyArray<readonly string[]>,
  wanted: string | null,
  option = '--column',
): number {
  if ([names, ...sample].every(isBlank)) throw new Failure('input', 'The list is empty.');
  if (wanted !== null) return columnNamed(names, wanted, option);
  const found = findAddressColumn(names, sample);
  switch (found.kind) {
    case 'found':
      return found.column;
    case 'unclear': {
      // Its columns are none.
      if (!hasHeader && sample.length === 1)
        throw new Failure('usage', 'The only line has several addresses: put each in a line of its own.');
      const columns = found.columns.toSorted((one, other) => one - other);
      const [why, what] =
        columns.length > 1
          ? ['Several columns contain addresses', 'Name one']
          : ['The only column of addresses has the same one in most rows', 'If it is meant, name it'];
      throw new Failure('usage', `${why}: ${listed(names, columns)}. ${what} with ${option}.`);
    }
    case 'none':
      if (hasHeader && sample.length === 0)
        throw new Failure(
          'input',
          'The only line has no address in it. If it is one with a mistake, add --no-header --column 1 to ask it.',
        );
      throw new Failure(
        'usage',
        `No column of addresses was found. Name one with ${option}: ${listed(names, [...names.keys()])}.`,
      );
  }
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}

function columnNamed(names: readonly string[], wanted: string, option: string): number {
  const columns = [...names.keys()];
  const exact = columns.filter((column) => names[column] === wanted);
  const found = exact.length > 0 ? exact : columns.filter((column) => fold(names[column] ?? '') === fold(wanted));
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined)
    throw new Failure(
      'usage',
      `${option} ${wanted}: several columns have this name: ${listed(names, found)}. Give a number.`,
    );
  const number = /^\d{1,5}$/.test(wanted) ? Number(wanted) : 0;
  if (number >= 1 && number <= names.length) return number - 1;
  throw new Failure('usage', `${option} ${wanted}: there is no such column. There are ${listed(names, columns)}.`);
}

/** For people: no more than a line's worth. */
function listed(names: readonly string[], columns: readonly number[]): string {
  const shown = columns.slice(0, 12).map((column) => `${shortened(names[column] ?? '')} (column ${column + 1})`);
  return [...shown, ...(columns.length > 12 ? [`${columns.length - 12} more`] : [])].join(', ');
}

function shortened(name: string): string {
  return JSON.stringify(name.length > NAME_CHARACTERS_MOST ? `${name.slice(0, NAME_CHARACTERS_MOST)}…` : name);
}
