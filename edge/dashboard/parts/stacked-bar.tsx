import type { StatusCounts } from '../../../schema/words/status-counts.ts';
import { count, share } from '../words/numbers.ts';
import { statusClass, statusWords } from '../words/verdict.ts';

/** How results are distributed: one bar, with its figures below. */
export function StackedBar({ counts }: { readonly counts: StatusCounts }) {
  const all = sumOf(counts);
  return (
    <figure class="stacked">
      <Bar counts={counts} all={all} says={null} />
      <figcaption>
        <ul class="legend">
          {[...counts].map(([status, addresses]) => (
            <li key={status} class={statusClass(status)}>
              <span>{statusWords(status)}</span> <strong>{count(addresses)}</strong>{' '}
              <span class="soft">{share(addresses, all)}</span>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

type BarProps = {
  readonly counts: StatusCounts;
  /** What the whole bar stands for: a part of it stays empty where this is more than the results. */
  readonly all: number;
  /** Read out in its place; null: what stands beside it says the same. */
  readonly says: string | null;
};

/** The bar alone. */
export function Bar({ counts, all, says }: BarProps) {
  let at = 0;
  const name = says === null ? { 'aria-hidden': true } : { role: 'img' as const, 'aria-label': says };
  return (
    <svg class="outcome-bar" viewBox="0 0 1000 24" preserveAspectRatio="none" {...name}>
      <rect class="track" width="1000" height="24" />
      {[...counts].map(([status, addresses]) => {
        const width = all === 0 ? 0 : (addresses / all) * 1000;
        const x = at;
        at += width;
        return width > 0 && <rect key={status} class={`fill ${statusClass(status)}`} x={x} width={width} height="24" />;
      })}
    </svg>
  );
}

export function sumOf(counts: StatusCounts): number {
  return [...counts.values()].reduce((sum, addresses) => sum + addresses, 0);
}
