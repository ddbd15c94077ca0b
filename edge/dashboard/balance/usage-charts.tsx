import { useState } from 'preact/hooks';
import type { Usage } from '../../../schema/pages-api.ts';
import { STATUSES } from '../../../schema/words/verdicts.ts';
import { call } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { BarChart } from '../parts/bar-chart.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Segments } from '../parts/segments.tsx';
import { StackedBar } from '../parts/stacked-bar.tsx';
import { numbers, Table } from '../parts/table.tsx';
import { count, onDay, onShortDay } from '../words/numbers.ts';
import { statusWords } from '../words/verdict.ts';
import { byDay, byKey, type Day, totalOf } from './usage.ts';

const SPANS = [30, 90, 365] as const;

/** What was verified: by day, by verdict and by key. */
export function UsageCharts() {
  const [span, setSpan] = useState<number>(SPANS[0]);
  const usage = useResource(() => call<Usage>('GET', `usage?days=${SPANS.at(-1)}`));
  return (
    <section class="card" aria-labelledby="usage-title">
      <div class="row">
        <h2 id="usage-title">Usage</h2>
        <Segments
          legend="Time"
          name="span"
          choices={SPANS.map((days) => [days, days === 365 ? '1 year' : `${days} days`] as const)}
          value={span}
          onValue={setSpan}
        />
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
      <Table named={{ as: 'Usage by key' }} columns={['Key', numbers('Addresses'), numbers('Credits')]}>
        {keys.map(({ name, addresses, cost }) => (
          <tr key={name}>
            <th scope="row" class="wrap">
              {name}
            </th>
            <td class="number">{count(addresses)}</td>
            <td class="number">{count(cost)}</td>
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
  const middle = days[Math.floor(days.length / 2)] ?? first;
  return (
    <BarChart
      caption="Addresses a day"
      says={`Addresses a day from ${onDay(first.day)} to ${onDay(last.day)}. Most on ${onDay(busiest.day)}: ${count(most)}.`}
      bars={days.map(({ day, all, counts }) => ({
        title: `${onDay(day)}: ${count(all)}`,
        parts: STATUSES.map((status) => [status, counts[status]] as const),
      }))}
      ends={[onShortDay(first.day), onShortDay(middle.day), onShortDay(last.day)]}
    />
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
