import { useState } from 'preact/hooks';
import type { Usage } from '../../../schema/pages-api.ts';
import { STATUSES } from '../../../schema/words/verdicts.ts';
import { call } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { Loaded } from '../parts/loaded.tsx';
import { StackedBar } from '../parts/stacked-bar.tsx';
import { numbers, Table } from '../parts/table.tsx';
import { count, credits, onDay, onShortDay } from '../words/numbers.ts';
import { statusWords } from '../words/verdict.ts';
import { byDay, byKey, type Day, topOfAxis, totalOf } from './usage.ts';

const SPANS = [30, 90, 365] as const;
const HEIGHT = 120;

/** What was verified: by day, by verdict and by key. */
export function UsageCharts() {
  const [span, setSpan] = useState<number>(SPANS[0]);
  const usage = useResource(() => call<Usage>('GET', `usage?days=${SPANS.at(-1)}`));
  return (
    <section class="card no-print" aria-labelledby="usage-title">
      <div class="row">
        <h2 id="usage-title">Usage</h2>
        <fieldset class="segments">
          <legend class="hidden">Time</legend>
          {SPANS.map((days) => (
            <label key={days}>
              <input type="radio" name="span" checked={days === span} onChange={() => setSpan(days)} />
              <span>{days === 365 ? '1 year' : `${days} days`}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <Loaded load={usage.load.value} reload={() => void usage.reload()}>
        {(known) => <Charts usage={known} span={span} />}
      </Loaded>
    </section>
  );
}

function Charts({ usage, span }: { readonly usage: Usage; readonly span: number }) {
  const days = byDay(usage, span, new Date().toISOString().slice(0, 10));
  const [first] = days;
  const all = days.reduce((sum, day) => sum + day.all, 0);
  if (all === 0 || first === undefined) return <p class="soft">Nothing was verified in this time.</p>;
  const keys = byKey({ ...usage, rows: usage.rows.filter((row) => row.day >= first.day) });
  return (
    <>
      <DayChart days={days} />
      <DayValues days={days} />
      <StackedBar counts={totalOf(days)} />
      <Table named={{ as: 'Usage by key' }} columns={['Key', numbers('Addresses'), numbers('Cost')]}>
        {keys.map(({ name, addresses, cost }) => (
          <tr key={name}>
            <th scope="row" class="wrap">
              {name}
            </th>
            <td class="number">{count(addresses)}</td>
            <td class="number">{credits(cost)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function DayChart({ days }: { readonly days: readonly Day[] }) {
  const most = Math.max(...days.map(({ all }) => all));
  const busiest = days.find(({ all }) => all === most);
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined || busiest === undefined) return null;
  const top = topOfAxis(most);
  const middle = days[Math.floor(days.length / 2)] ?? first;
  return (
    <figure class="days">
      <figcaption class="soft">Addresses a day</figcaption>
      <div class="plot">
        <ul class="ticks" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <li key={value}>{count(value)}</li>
          ))}
        </ul>
        <svg
          viewBox={`0 0 ${days.length * 10} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Addresses a day from ${onDay(first.day)} to ${onDay(last.day)}. Most on ${onDay(busiest.day)}: ${count(most)}.`}
        >
          {[0, HEIGHT / 2].map((y) => (
            <rect key={y} class="grid" y={y} width={days.length * 10} height="1" />
          ))}
          {days.map((day, index) => (
            <Bar key={day.day} day={day} x={index * 10 + 1} top={top} />
          ))}
          <rect class="ground" y={HEIGHT - 1} width={days.length * 10} height="1" />
        </svg>
      </div>
      <p class="dates soft" aria-hidden="true">
        <span>{onShortDay(first.day)}</span>
        <span>{onShortDay(middle.day)}</span>
        <span>{onShortDay(last.day)}</span>
      </p>
    </figure>
  );
}

/** The same in numbers. */
function DayValues({ days }: { readonly days: readonly Day[] }) {
  const used = days.filter(({ all }) => all > 0).toReversed();
  return (
    <details>
      <summary>Values by day</summary>
      <Table
        named={{ as: 'Addresses by day' }}
        columns={['Day', numbers('All'), ...STATUSES.map((status) => numbers(statusWords(status)))]}
      >
        {used.map(({ day, all, counts }) => (
          <tr key={day}>
            <th scope="row" class="date">
              {onDay(day)}
            </th>
            <td class="number">{count(all)}</td>
            {STATUSES.map((status) => (
              <td key={status} class="number">
                {count(counts[status])}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </details>
  );
}

function Bar({ day, x, top }: { readonly day: Day; readonly x: number; readonly top: number }) {
  let y = HEIGHT;
  return (
    <g>
      <title>
        {onDay(day.day)}: {count(day.all)}
      </title>
      {STATUSES.map((status) => {
        const height = (day.counts[status] / top) * HEIGHT;
        y -= height;
        return height > 0 && <rect key={status} class={`fill ${status}`} x={x} y={y} width="8" height={height} />;
      })}
    </g>
  );
}
