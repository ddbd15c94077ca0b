import { useState } from 'preact/hooks';
import { count } from '../words/numbers.ts';
import { topOfAxis } from './axis.ts';

const HEIGHT = 120;

/** One bar: its stacked parts, from the bottom up. */
export type Bar = {
  /** Shown while the pointer is on it, or the arrow keys have come to it. */
  readonly title: string;
  readonly parts: ReadonlyArray<readonly [kind: string, value: number]>;
};
type Props = {
  readonly caption: string;
  /** What the chart says, in a sentence. */
  readonly says: string;
  readonly bars: readonly Bar[];
  /** Below the bars: one for each, or a few from the first bar to the last. */
  readonly labels: readonly string[];
};

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Bars over time, with an axis. */
export function BarChart({ caption, says, bars, labels }: Props) {
  const [at, setAt] = useState<number | null>(null);
  const top = topOfAxis(Math.max(...bars.map(({ parts }) => parts.reduce((sum, [, value]) => sum + value, 0))));
  return (
    <figure class="days">
      <figcaption class="row soft">
        <span class="range">{caption}</span>
        <span role="status">{at !== null && bars[at]?.title}</span>
      </figcaption>
      <div
        class="plot"
        role="group"
        aria-label={`${caption}, one by one with the arrow keys`}
        tabIndex={0}
        onKeyDown={(event) => {
          const step = STEPS[event.key];
          if (step === undefined) return;
          event.preventDefault();
          setAt(Math.min(bars.length - 1, Math.max(0, (at ?? bars.length) + step)));
        }}
        onBlur={() => setAt(null)}
      >
        <ul class="ticks" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <li key={value}>{count(value)}</li>
          ))}
        </ul>
        <svg
          viewBox={`0 0 ${bars.length * 10} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={says}
          onPointerMove={({ clientX, currentTarget }) => {
            const { left, width } = currentTarget.getBoundingClientRect();
            setAt(Math.min(bars.length - 1, Math.floor(((clientX - left) / width) * bars.length)));
          }}
          onPointerLeave={() => setAt(null)}
        >
          {at !== null && <rect class="track" x={at * 10} width="10" height={HEIGHT} />}
          {[0, HEIGHT / 2].map((y) => (
            <rect key={y} class="grid" y={y} width={bars.length * 10} height="1" />
          ))}
          {bars.map((bar, index) => (
            <Column key={bar.title} bar={bar} x={index * 10 + 1} top={top} />
          ))}
          <rect class="ground" y={HEIGHT - 1} width={bars.length * 10} height="1" />
        </svg>
      </div>
      <p class={labels.length === bars.length ? 'dates each soft' : 'dates soft'} aria-hidden="true">
        {labels.map((label) => (
          <span key={label}>{label}</span>
        ))}
      </p>
    </figure>
  );
}

function Column({ bar: { parts }, x, top }: { readonly bar: Bar; readonly x: number; readonly top: number }) {
  let y = HEIGHT;
  return (
    <g>
      {parts.map(([kind, value]) => {
        const height = (value / top) * HEIGHT;
        y -= height;
        return height > 0 && <rect key={kind} class={`fill ${kind}`} x={x} y={y} width="8" height={height} />;
      })}
    </g>
  );
}
