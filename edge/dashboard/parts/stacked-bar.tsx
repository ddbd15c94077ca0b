import type { StatusCounts } from '../../../schema/words/status-counts.ts';
import { count, share } from '../words/numbers.ts';
import { statusClass, statusWords } from '../words/verdict.ts';

/** How results are distributed: one bar, with its figures below. */
export function StackedBar({ counts }: { readonly counts: StatusCounts }) {
  const all = [...counts.values()].reduce((sum, addresses) => sum + addresses, 0);
  let at = 0;
  return (
    <figure class="stacked">
      <svg viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="1000" height="24" />
        {[...counts].map(([status, addresses]) => {
          const width = all === 0 ? 0 : (addresses / all) * 1000;
          const x = at;
          at += width;
          return (
            width > 0 && <rect key={status} class={`fill ${statusClass(status)}`} x={x} width={width} height="24" />
          );
        })}
      </svg>
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
