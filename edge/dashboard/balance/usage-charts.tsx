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
import { count, onDay, onMonth, onShortDay, onShortMonth } from '../words/numbers.ts';
import { statusWords } from '../words/verdict.ts';
import { byDay, byKey, byMonth, type Day, totalOf } from './usage.ts';

/** Twelve months, this one included, are no longer. */
const YEAR = 366;
const SPANS = [30, 90, YEAR] as const;

/** What was verified: by day or month, by verdict and by key. */
export function UsageCharts() {
  const [span, setSpan] = useState<number>(SPANS[0]);
  const usage = useResource(() => call<Usage>('GET', `usage?days=${YEAR}`));
  return (
    <section class="card" aria-labelledby="usage-title">
      <div class="row">
        <h2 id="usage-title">Usage</h2>
        <Segments
          legend="Time"
          name="span"
          choices={SPANS.map((days) => [days, days === YEAR ? '12 months' : `${days} days`] as const)}
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

/** A year has too many days to be seen. */
const STEPS = {
  day: { caption: 'Addresses a day', heading: 'Day', nameOf: onDay },
  month: { caption: 'Addresses a month', heading: 'Month', nameOf: onMonth },
} as const;
type Step = keyof typeof STEPS;

function Charts({ usage, span }: { readonly usage: Usage; readonly span: number }) {
  const step = span === YEAR ? 'month' : 'day';
  const days = byDay(usage, span, new Date().toISOString().slice(0, 10));
  const parts = step === 'month' ? byMonth(days) : days;
  const [first] = parts;
  const all = parts.reduce((sum, part) => sum + part.all, 0);
  if (all === 0 || first === undefined) return <p class="soft">Nothing was verified in this time.</p>;
  const keys = byKey({ ...usage, rows: usage.rows.filter((row) => row.day >= first.day) });
  return (
    <>
      <Chart key={span} parts={parts} step={step} />
      <Values parts={parts} step={step} />
      <StackedBar counts={totalOf(parts)} />
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

type PartsProps = { readonly parts: readonly Day[]; readonly step: Step };

function Chart({ parts, step }: PartsProps) {
  const { caption, nameOf } = STEPS[step];
  const most = Math.max(...parts.map(({ all }) => all));
  const busiest = parts.find(({ all }) => all === most);
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined || busiest === undefined) return null;
  const middle = parts[Math.floor(parts.length / 2)] ?? first;
  return (
    <BarChart
      caption={caption}
      says={`${caption} from ${nameOf(first.day)} to ${nameOf(last.day)}. Most ${step === 'day' ? 'on' : 'in'} ${nameOf(busiest.day)}: ${count(most)}.`}
      bars={parts.map(({ day, all, counts }) => ({
        title: [
          `${nameOf(day)}: ${count(all)}`,
          ...STATUSES.filter((status) => counts[status] > 0).map(
            (status) => `${statusWords(status).toLowerCase()} ${count(counts[status])}`,
          ),
        ].join(', '),
        parts: STATUSES.map((status) => [status, counts[status]] as const),
      }))}
      labels={
        step === 'month'
          ? parts.map(({ day }) => onShortMonth(day))
          : [first, middle, last].map(({ day }) => onShortDay(day))
      }
    />
  );
}

/** The same in numbers. */
function Values({ parts, step }: PartsProps) {
  const { heading, nameOf } = STEPS[step];
  const used = parts.filter(({ all }) => all > 0).toReversed();
  return (
    <details>
      <summary>Values by {step}</summary>
      <Table
        named={{ as: `Addresses by ${step}` }}
        columns={[heading, numbers('All'), ...STATUSES.map((status) => numbers(statusWords(status)))]}
      >
        {used.map(({ day, all, counts }) => (
          <tr key={day}>
            <th scope="row" class="date">
              {nameOf(day)}
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
