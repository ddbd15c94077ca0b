import { type EngineObserver, type Seat, SILENT_OBSERVER } from '../../engine/ports/observer.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import { providerLabel } from './labels.ts';
import type { Meters, Reading } from './meters.ts';
import type { StageSeconds } from './port-metrics.ts';

type Suspended = 'provider' | 'egress' | 'reason';

/** What goes on inside sessions, as the engine tells it. */
export function engineMetrics(meters: Meters, stages: StageSeconds, clock: Pick<Clock, 'now'>): EngineObserver {
  const open = meters.gauge('sessions_open', 'Sessions in which mailboxes can be asked about.', 'provider', 'egress');
  const ended = meters.counter('sessions_total', 'Sessions by how they ended.', 'provider', 'egress', 'end');
  const waiters = meters.gauge('pace_waiters', 'Connections that wait for a connection limit.', 'provider');
  const waits = meters.histogram(
    'pace_wait_seconds',
    'How long a connection waited for the connection limits.',
    'provider',
  );
  const suspend = suspensions(meters, clock);
  return {
    ...SILENT_OBSERVER,
    waitersChanged: (provider, change) => waiters.inc({ provider: providerLabel(provider) }, change),
    waitedForLimits: (provider, ms) => waits.observe({ provider: providerLabel(provider) }, ms / 1000),
    coolDownBegan(seat, who, why, ms) {
      if (who === 'provider') suspend({ ...labelsOf(seat), reason: why }, ms);
    },
    sessionOpened: (seat) => open.inc(labelsOf(seat)),
    sessionEnded(seat, end, wasOpen) {
      if (wasOpen) open.dec(labelsOf(seat));
      ended.inc({ ...labelsOf(seat), end });
    },
    replied: (stage, waitedMs) => stages.observe({ stage }, waitedMs / 1000),
  };
}

/** 1 while a provider as a whole rests, then 0. @returns what notes that one begins to */
function suspensions(meters: Meters, clock: Pick<Clock, 'now'>) {
  // As many as there are listed providers, egress addresses and reasons.
  const kept = new Map<string, { readonly labels: Readonly<Record<Suspended, string>>; readonly untilMs: number }>();
  meters.askedEach<Suspended>(
    'egress_suspended',
    'A provider rests as a whole.',
    ['provider', 'egress', 'reason'],
    function* read(): Generator<Reading<Suspended>> {
      for (const { labels, untilMs } of kept.values()) yield [labels, Number(untilMs > clock.now())];
    },
  );
  return (labels: Readonly<Record<Suspended, string>>, ms: number): void => {
    kept.set(`${labels.provider} ${labels.egress} ${labels.reason}`, { labels, untilMs: clock.now() + ms });
  };
}

function labelsOf({ provider, egress }: Seat): { readonly provider: string; readonly egress: string } {
  return { provider: providerLabel(provider), egress: String(egress) };
}
