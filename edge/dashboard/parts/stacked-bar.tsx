import { STATUSES, type Status } from '../../../schema/client/results.ts';
import { count, share } from '../words/numbers.ts';
import { STATUS_WORDS } from '../words/verdict.ts';

export type Counts = Readonly<Record<Status, number>>;

/** How results are shared out: one bar, and its figures in words below it. */
export function StackedBar({ counts }: { readonly counts: Counts }) {
  const all = STATUSES.reduce((sum, status) => sum + counts[status], 0);
  let at = 0;
  return (
    <figure class="stacked">
      <svg viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="1000" height="24" />
        {STATUSES.map((status) => {
          const width = all === 0 ? 0 : (counts[status] / all) * 1000;
          const x = at;
          at += width;
          return width > 0 && <rect key={status} class={`fill ${status}`} x={x} width={width} height="24" />;
        })}
      </svg>
      <figcaption>
        <ul class="legend">
          {STATUSES.map((status) => (
            <li key={status} class={status}>
              <span>{STATUS_WORDS[status]}</span> <strong>{count(counts[status])}</strong>{' '}
              <span class="soft">{share(counts[status], all)}</span>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}
