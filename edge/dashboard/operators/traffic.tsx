import { useState } from 'preact/hooks';
import type { Overview } from '../../../schema/admin.ts';
import { countStatuses } from '../../../schema/words/status-counts.ts';
import { type TrafficCounts, trafficOf, type Traffic as Summary } from '../../../schema/words/traffic.ts';
import { type Bar, BarChart } from '../parts/bar-chart.tsx';
import { Segments } from '../parts/segments.tsx';
import { StackedBar } from '../parts/stacked-bar.tsx';
import { numbers, Table } from '../parts/table.tsx';
import { count, counted, share } from '../words/numbers.ts';

const SPANS = ['hour', 'day', 'week'] as const;
type Span = (typeof SPANS)[number];
const MS = { minute: 60_000, hour: 3_600_000 } as const;
const REASONS_SHOWN = 8;

/** Counts, times and results of calls. */
export function Traffic({ overview: { minutes, hours } }: { readonly overview: Overview }) {
  const [span, setSpan] = useState<Span>('hour');
  const parts = span === 'hour' ? minutes : (hours?.slice(0, span === 'day' ? 24 : 168) ?? null);
  return (
    <section class="card" aria-labelledby="traffic-title">
      <div class="row">
        <h2 id="traffic-title">Calls</h2>
        <Segments
          legend="Time"
          name="traffic-span"
          choices={SPANS.map((one) => [one, `Last ${one}`] as const)}
          value={span}
          onValue={setSpan}
        />
      </div>
      {parts === null ? (
        <p class="soft">The counts cannot be read right now.</p>
      ) : (
        <Counts parts={parts} step={span === 'hour' ? 'minute' : 'hour'} />
      )}
    </section>
  );
}

function Counts({ parts, step }: { readonly parts: readonly TrafficCounts[]; readonly step: keyof typeof MS }) {
  const all = trafficOf(parts);
  if (all.calls === 0) return <p class="soft">No call came in this time.</p>;
  const statuses = countStatuses(all.statuses);
  return (
    <>
      <dl class="measures">
        <Measure label="Addresses a minute" value={perMinute(all.addresses, parts.length, step)} />
        <Measure label="Half within" value={within(all, all.p50Ms)} />
        <Measure label="99 % within" value={within(all, all.p99Ms)} />
        <Measure label={`Our faults, of ${counted(all.calls, 'call', 'calls')}`} value={count(all.faults)} />
      </dl>
      <BarChart {...chartOf(parts, step, Date.now())} />
      {all.faultsBy.length > 0 && (
        <p>
          Failed through a fault of ours:{' '}
          {all.faultsBy.map(([cause, n]) => `${counted(n, 'call', 'calls')} at the ${cause}`).join(', ')}
        </p>
      )}
      <StackedBar counts={statuses} />
      <Reasons all={all} />
    </>
  );
}

function Measure({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <dt class="soft">{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Reasons({ all: { reasons } }: { readonly all: Summary }) {
  const results = reasons.reduce((sum, [, n]) => sum + n, 0);
  return (
    <Table named={{ as: 'Results by reason' }} columns={['Reason', numbers('Results'), numbers('Share')]}>
      {reasons.slice(0, REASONS_SHOWN).map(([reason, n]) => (
        <tr key={reason}>
          <th scope="row">{reason === 'none' ? 'no reason' : reason}</th>
          <td class="number">{count(n)}</td>
          <td class="number">{share(n, results)}</td>
        </tr>
      ))}
    </Table>
  );
}

function perMinute(addresses: number, parts: number, step: keyof typeof MS): string {
  const minutes = (parts * MS[step]) / MS.minute;
  const rate = addresses / minutes;
  return count(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate));
}

function within({ calls, faults }: Summary, ms: number | null): string {
  if (calls === faults) return '–';
  if (ms === null) return 'over 90 s';
  return ms < 1_000 ? `${count(ms)} ms` : `${count(ms / 1_000)} s`;
}

/** Answered calls and faults, the oldest first. */
function chartOf(parts: readonly TrafficCounts[], step: keyof typeof MS, nowMs: number) {
  const bars = parts
    .map((part, ago): Bar => {
      const { calls = 0, faults = 0 } = part;
      const failed = faults === 0 ? '' : `, ${count(faults)} failed through a fault of ours`;
      return {
        title: `${timeOf(nowMs - ago * MS[step], parts.length)}: ${counted(calls, 'call', 'calls')}${failed}`,
        parts: [
          ['invalid', faults],
          ['valid', calls - faults],
        ],
      };
    })
    .toReversed();
  const end = (ago: number): string => timeOf(nowMs - ago * MS[step], parts.length);
  const { calls, faults } = trafficOf(parts);
  return {
    caption: step === 'minute' ? 'Calls a minute' : 'Calls an hour',
    says: `${step === 'minute' ? 'Calls a minute' : 'Calls an hour'}: ${count(calls)} together, ${count(faults)} of them failed through a fault of ours.`,
    bars,
    labels: [end(parts.length - 1), end(Math.floor(parts.length / 2)), 'now'],
  };
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const dayAndHour = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' });

function timeOf(ms: number, parts: number): string {
  return (parts > 60 ? dayAndHour : clock).format(parts > 24 && parts <= 60 ? ms : Math.floor(ms / MS.hour) * MS.hour);
}
