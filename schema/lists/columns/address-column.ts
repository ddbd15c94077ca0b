import { trim } from '../../words/unseen.ts';
import { looksLikeAddress } from './address.ts';
import { isResultColumn } from './result-columns.ts';

/** Rows from the top that show which column it is. */
export const SAMPLE_ROWS = 1_000;
/** Share of addresses among the cells that are not empty; typing errors are expected. */
const SHARE_LEAST = 0.5;
/** Names of the column that holds the address. */
const ADDRESS_NAME =
  /^(?:e-?mail|mail|correo|courriel|адрес|メール)(?:アドレス|[ _-]?(?:address|addr|adresse|addresses|adressen))?$/i;

/** Columns are counted from 0. */
type AddressColumn =
  | { readonly kind: 'found'; readonly column: number }
  /** All of these have addresses, and the names do not decide; the likeliest first. */
  | { readonly kind: 'several'; readonly columns: readonly [number, number, ...number[]] }
  /** No column of addresses; `likeliest` has at least some, null if there are none. */
  | { readonly kind: 'none'; readonly likeliest: number | null };

/**
 * The column of addresses: the only one that has them, or among several the one with such a name. Result columns of an
 * earlier run are ignored. Pure.
 * @param names of the columns
 * @param sample rows from the top, without the header
 */
export function findAddressColumn(names: readonly string[], sample: ReadonlyArray<readonly string[]>): AddressColumn {
  const width = Math.max(names.length, ...sample.map((cells) => cells.length));
  const columns = Array.from({ length: width }, (_, column) => column).filter(
    (column) => !isResultColumn(names[column] ?? ''),
  );
  const counts = countIn(sample);
  const share = (column: number): number => {
    const { filled, addresses } = counts[column] ?? NOTHING;
    return filled === 0 ? 0 : addresses / filled;
  };
  const isNamed = (column: number): boolean => ADDRESS_NAME.test(names[column]?.trim() ?? '');
  // A column with such a name may be mostly empty at the top, or hold few valid addresses.
  const mayHold = (column: number): boolean => share(column) > 0 || (counts[column] ?? NOTHING).filled === 0;
  const filled = columns.filter((column) => share(column) >= SHARE_LEAST || (isNamed(column) && mayHold(column)));
  const surely = filled.filter((column) => share(column) >= SHARE_LEAST);
  const candidates = surely.length > 0 ? filled : columns;
  const named = candidates.filter(isNamed);
  const [found, ...others] = surely.length === 1 && filled.length === 1 ? filled : named;
  const isSure = found !== undefined && (surely.length === 0 || surely.includes(found));
  if (isSure && others.length === 0) return { kind: 'found', column: found };
  const byShare = (one: number, other: number): number =>
    Number(isNamed(other)) - Number(isNamed(one)) || share(other) - share(one);
  const [first, second, ...more] = surely.length > 0 ? filled.toSorted(byShare) : [];
  if (first !== undefined && second !== undefined) return { kind: 'several', columns: [first, second, ...more] };
  const [likeliest = null] = columns.filter((column) => share(column) > 0).toSorted(byShare);
  return { kind: 'none', likeliest };
}

type Count = { filled: number; addresses: number };
const NOTHING: Readonly<Count> = { filled: 0, addresses: 0 };

/** By column. Goes over the cells that there are: one wide row makes the others no wider. */
function countIn(sample: ReadonlyArray<readonly string[]>): readonly Count[] {
  const counts: Count[] = [];
  for (const cells of sample)
    for (const [column, cell] of cells.entries()) {
      const count = (counts[column] ??= { filled: 0, addresses: 0 });
      if (trim(cell) === '') continue;
      count.filled += 1;
      if (looksLikeAddress(cell)) count.addresses += 1;
    }
  return counts;
}
