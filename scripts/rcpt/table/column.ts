import { Failure } from '../failure/failure.ts';
import { looksLikeAddress } from './address.ts';
import type { Row } from './table.ts';

/** Of the cells that are not empty in the sample; typing errors are what verifying is for. */
const SHARE_LEAST = 0.5;
const ADDRESS_NAME = /^(?:e-?mail|mail|courriel|correo)(?:[ _-]?(?:address|addr|adresse))?$/i;

/**
 * The column that holds the addresses: the only one in which they stand, or the one of several that is named so.
 * @param names of the columns
 * @param sample some rows, the first ones
 * @param wanted a name, or a number from 1; null: found out
 * @throws Failure that names the candidates
 */
export function findColumn(names: readonly string[], sample: readonly Row[], wanted: string | null): number {
  if (names.length === 0) throw new Failure('input', 'The list is empty.');
  if (wanted !== null) return columnNamed(names, wanted);
  const columns = [...names.keys()];
  const filled = columns.filter((column) => shareOf(column, sample) >= SHARE_LEAST);
  const named = (filled.length > 0 ? filled : columns).filter((column) =>
    ADDRESS_NAME.test(names[column]?.trim() ?? ''),
  );
  const [found, ...others] = filled.length === 1 ? filled : named;
  if (found !== undefined && others.length === 0) return found;
  if (filled.length > 1)
    throw new Failure('usage', `Several columns contain addresses: ${listed(names, filled)}. Name one with --column.`);
  throw new Failure('usage', `No column of addresses was found. Name one with --column: ${listed(names, columns)}.`);
}

function shareOf(column: number, sample: readonly Row[]): number {
  const cells = sample.map((row) => row.cells[column]?.trim() ?? '').filter((cell) => cell !== '');
  return cells.length === 0 ? 0 : cells.filter(looksLikeAddress).length / cells.length;
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}

function columnNamed(names: readonly string[], wanted: string): number {
  const columns = [...names.keys()];
  const exact = columns.filter((column) => names[column] === wanted);
  const found = exact.length > 0 ? exact : columns.filter((column) => fold(names[column] ?? '') === fold(wanted));
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined)
    throw new Failure(
      'usage',
      `--column ${wanted}: several columns have this name: ${listed(names, found)}. Give a number.`,
    );
  const number = /^\d{1,5}$/.test(wanted) ? Number(wanted) : 0;
  if (number >= 1 && number <= names.length) return number - 1;
  throw new Failure('usage', `--column ${wanted}: there is no such column. There are ${listed(names, columns)}.`);
}

/** For people: no more than a line's worth. */
function listed(names: readonly string[], columns: readonly number[]): string {
  const shown = columns.slice(0, 12).map((column) => `${JSON.stringify(names[column])} (${column + 1})`);
  return [...shown, ...(columns.length > 12 ? [`${columns.length - 12} more`] : [])].join(', ');
}
