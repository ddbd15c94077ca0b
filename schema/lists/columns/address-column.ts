import { heldIn } from './address.ts';
import { isAddressName } from './address-name.ts';
import { isResultColumn } from './result-columns.ts';

/** Rows from the top that show which column it is. */
export const SAMPLE_ROWS = 1_000;
/** Share of addresses among the cells that are not empty: many customers have none, and many cells say so. */
const SHARE_LEAST = 0.1;
/** One address that stands this often, and in most rows, is somebody else's: an owner, a list. */
const REPEATED_LEAST = 3;

/** Columns are counted from 0. */
type AddressColumn =
  | { readonly kind: 'found'; readonly column: number }
  /** These have addresses, and nothing says which is meant; the likeliest first. One alone is that of somebody else. */
  | { readonly kind: 'unclear'; readonly columns: readonly [number, ...number[]] }
  | { readonly kind: 'none' };

/**
 * The column of addresses: the only one that has them, or among several the only one that is named as theirs. Nobody guesses.
 * Result columns of an earlier run are ignored. Pure.
 * @param names of the columns
 * @param sample rows from the top, without the header
 */
export function findAddressColumn(names: readonly string[], sample: ReadonlyArray<readonly string[]>): AddressColumn {
  const width = Math.max(names.length, ...sample.map((cells) => cells.length));
  const counts = countIn(sample);
  const isPart = sample.length >= SAMPLE_ROWS;
  const columns = Array.from({ length: width }, (_, column) => {
    const { filled, holding, most } = counts[column] ?? countOf();
    const isNamed = isAddressName(names[column] ?? '');
    const share = filled === 0 ? 0 : holding / filled;
    const isForeign = width > 1 && most >= REPEATED_LEAST && most * 2 > filled;
    // A column with such a name may hold few addresses, and those further down.
    const isCandidate = share >= SHARE_LEAST || (isNamed && (share > 0 || filled === 0 || isPart));
    return { column, isNamed, share, isForeign, isCandidate };
  }).filter(({ column }) => !isResultColumn(names[column] ?? ''));
  const candidates = columns.filter(({ isCandidate }) => isCandidate);
  const named = (candidates.length > 0 ? candidates : columns).filter(({ isNamed }) => isNamed);
  const holding = named.filter(({ share }) => share > 0);
  const [found, ...others] = candidates.length === 1 ? candidates : holding.length > 0 ? holding : named;
  const isSeen = found !== undefined && (found.share > 0 || candidates.length <= 1);
  if (isSeen && others.length === 0 && !found.isForeign) return { kind: 'found', column: found.column };
  const [first, ...more] = candidates
    .toSorted(
      (one, other) =>
        Number(one.isForeign) - Number(other.isForeign) ||
        Number(other.isNamed) - Number(one.isNamed) ||
        other.share - one.share,
    )
    .map(({ column }) => column);
  return first === undefined ? { kind: 'none' } : { kind: 'unclear', columns: [first, ...more] };
}

type Count = {
  filled: number;
  /** Cells with one address or several. */
  holding: number;
  /** Cells with the address that stands there most often. */
  most: number;
  readonly times: Map<string, number>;
};

function countOf(): Count {
  return { filled: 0, holding: 0, most: 0, times: new Map() };
}

/** By column. Goes over the cells that there are: one wide row makes the others no wider. */
function countIn(sample: ReadonlyArray<readonly string[]>): readonly Count[] {
  const counts: Count[] = [];
  for (const cells of sample)
    for (const [column, cell] of cells.entries()) {
      const count = (counts[column] ??= countOf());
      const held = heldIn(cell);
      if (held.kind === 'empty') continue;
      count.filled += 1;
      if (held.kind === 'several' || (held.kind === 'address' && held.isSure)) count.holding += 1;
      if (held.kind !== 'address') continue;
      const email = held.email.toLowerCase();
      const times = (count.times.get(email) ?? 0) + 1;
      count.times.set(email, times);
      count.most = Math.max(count.most, times);
    }
  return counts;
}
