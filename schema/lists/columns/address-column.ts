import { looksLikeAddress } from './address.ts';
import { isResultColumn } from './result-columns.ts';

/** Of the cells that are not empty; typing errors are what verifying is for. */
const SHARE_LEAST = 0.5;
/** The names that say that a column holds the address, not one of somebody else. */
const ADDRESS_NAME =
  /^(?:e-?mail|mail|correo|courriel|адрес|メール)(?:アドレス|[ _-]?(?:address|addr|adresse|addresses|adressen))?$/i;

/** What a finder of the column has come to. Columns are counted from 0. */
type AddressColumn =
  | { readonly kind: 'found'; readonly column: number }
  /** Addresses stand in all of these, and the names do not decide: the likeliest first. */
  | { readonly kind: 'several'; readonly columns: readonly [number, number, ...number[]] }
  /** No column is one of addresses; `likeliest` has at least some, null if none has any. */
  | { readonly kind: 'none'; readonly likeliest: number | null };

/**
 * The column that holds the addresses: the only one in which they stand, or the one of several that is named so. Columns
 * of results are those of an earlier run, and are not looked at. Pure.
 * @param names of the columns
 * @param sample rows from the top, without the header
 */
export function findAddressColumn(names: readonly string[], sample: ReadonlyArray<readonly string[]>): AddressColumn {
  const width = Math.max(names.length, ...sample.map((cells) => cells.length));
  const columns = Array.from({ length: width }, (_, column) => column).filter(
    (column) => !isResultColumn(names[column] ?? ''),
  );
  const counts = new Map(columns.map((column) => [column, countIn(column, sample)]));
  const share = (column: number): number => {
    const { filled, addresses } = counts.get(column) ?? NOTHING;
    return filled === 0 ? 0 : addresses / filled;
  };
  const isNamed = (column: number): boolean => ADDRESS_NAME.test(names[column]?.trim() ?? '');
  // A column that is named so and mostly empty at the top, or badly kept, may be the one all the same.
  const mayHold = (column: number): boolean => share(column) > 0 || (counts.get(column)?.filled ?? 0) === 0;
  const filled = columns.filter((column) => share(column) >= SHARE_LEAST || (isNamed(column) && mayHold(column)));
  const surely = filled.filter((column) => share(column) >= SHARE_LEAST);
  const candidates = surely.length > 0 ? filled : columns;
  const named = candidates.filter(isNamed);
  const [found, ...others] = surely.length === 1 && filled.length === 1 ? filled : named;
  const isSure = found !== undefined && (surely.length === 0 || surely.includes(found));
  if (isSure && others.length === 0) return { kind: 'found', column: found };
  const byShare = (one: number, other: number): number =>
    Number(named.includes(other)) - Number(named.includes(one)) || share(other) - share(one);
  const [first, second, ...more] = surely.length > 0 ? filled.toSorted(byShare) : [];
  if (first !== undefined && second !== undefined) return { kind: 'several', columns: [first, second, ...more] };
  const [likeliest = null] = columns.filter((column) => share(column) > 0).toSorted(byShare);
  return { kind: 'none', likeliest };
}

type Count = { readonly filled: number; readonly addresses: number };
const NOTHING: Count = { filled: 0, addresses: 0 };

function countIn(column: number, sample: ReadonlyArray<readonly string[]>): Count {
  let filled = 0;
  let addresses = 0;
  for (const cells of sample) {
    const cell = cells[column] ?? '';
    if (cell.trim() === '') continue;
    filled += 1;
    if (looksLikeAddress(cell)) addresses += 1;
  }
  return { filled, addresses };
}
