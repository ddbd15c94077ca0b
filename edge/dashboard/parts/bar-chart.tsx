import { count } from '../words/numbers.ts';
import { topOfAxis } from './axis.ts';

const HEIGHT = 120;

/** One bar: its stacked parts, from the bottom up. */
export type Bar = {
  /** Shown as its tooltip. */
  readonly title: string;
  readonly parts: ReadonlyArray<readonly [kind: string, value: number]>;
};
type Props = {
  readonly caption: string;
  /** What the chart says, in a sentence. */
  readonly says: string;
  readonly bars: readonly Bar[];
  /** Below the first, the middle and the last bar. */
  readonly ends: readonly [first: string, middle: string, last: string];
};

/** Bars over time, with an axis. */
export function BarChart({ caption, says, bars, ends }: Props) {
  const top = topOfAxis(Math.max(...bars.map(({ parts }) => parts.reduce((sum, [, value]) => sum + value, 0))));
  return (
    <figure class="days">
      <figcaption class="soft">{caption}</figcaption>
      <div class="plot">
        <ul class="ticks" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <li key={value}>{count(value)}</li>
          ))}
        </ul>
        <svg viewBox={`0 0 ${bars.length * 10} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={says}>
          {[0, HEIGHT / 2].map((y) => (
            <rect key={y} class="grid" y={y} width={bars.length * 10} height="1" />
          ))}
          {bars.map((bar, index) => (
            <Column key={bar.title} bar={bar} x={index * 10 + 1} top={top} />
          ))}
          <rect class="ground" y={HEIGHT - 1} width={bars.length * 10} height="1" />
        </svg>
      </div>
      <p class="dates soft" aria-hidden="true">
        {ends.map((end) => (
          <span key={end}>{end}</span>
        ))}
      </p>
    </figure>
  );
}

function Column({ bar: { title, parts }, x, top }: { readonly bar: Bar; readonly x: number; readonly top: number }) {
  let y = HEIGHT;
  return (
    <g>
      <title>{title}</title>
      {parts.map(([kind, value]) => {
        const height = (value / top) * HEIGHT;
        y -= height;
        return height > 0 && <rect key={kind} class={`fill ${kind}`} x={x} y={y} width="8" height={height} />;
      })}
    </g>
  );
}
