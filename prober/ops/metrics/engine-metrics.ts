import type { EngineObserver, Seat } from '../../engine/ports/observer.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import { providerLabel } from './labels.ts';
import type { Meters, Reading } from './meters.ts';
import type { StageSeconds } from './port-metrics.ts';

type Suspended = 'provider' | 'egress' | 'reason';

/** What goes on inside sessions, as the engine tells it. */
export function engineMetrics(meters: Meters, stages: StageSeconds, clock: Pick<Clock, 'now'>): EngineObserver {
  const open = meters.gauge('sessions_open', 'Sessions in which mailboxes can be asked about.', 'provider', 'egress');
  const opened = meters.counter('sessions_opened_total', 'Sessions that got through EHLO.', 'provider', 'egress');
  const reused = meters.counter(
    'sessions_reused_total',
    'Domains that were asked about in a session that had served others before.',
    'provider',
    'egress',
  );
  const idled = meters.counter(
    'sessions_idle_closed_total',
    'Sessions that ended because nobody used them.',
    'provider',
    'egress',
  );
  const ended = meters.counter('sessions_total', 'Sessions by how they ended.', 'provider', 'egress', 'end');
  const refusals = meters.counter(
    'refusals_total',
    'Replies that refuse: what they answer, and what they are about.',
    'provider',
    'egress',
    'stage',
    'class',
  );
  const unknown = meters.counter('replies_unknown_total', 'Replies to RCPT that neither a rule nor a code explains.');
  const waiters = meters.gauge('pace_waiters', 'Connections that wait for a connection limit.', 'provider');
  const waits = meters.histogram(
    'pace_wait_seconds',
    'How long a connection waited for the connection limits.',
    'provider',
  );
  const rests = meters.counter('cooldowns_total', 'Rests that began.', 'provider', 'egress', 'who', 'why');
  const reached = meters.counter(
    'invalid_recipients_put_off_total',
    "Domains that were put off because too many of their gateway's recipients of the hour do not exist.",
    'provider',
    'egress',
  );
  const suspend = suspensions(meters, clock);
  return {
    waitersChanged: (provider, change) => waiters.inc({ provider: providerLabel(provider) }, change),
    waitedForLimits: (provider, ms) => waits.observe({ provider: providerLabel(provider) }, ms / 1000),
    coolDownBegan(seat, who, why, ms) {
      rests.inc({ ...labelsOf(seat), who, why });
      if (who === 'provider') suspend({ ...labelsOf(seat), reason: why }, ms);
    },
    invalidLimitReached: (seat) => reached.inc(labelsOf(seat)),
    sessionOpened(seat) {
      open.inc(labelsOf(seat));
      opened.inc(labelsOf(seat));
    },
    sessionReused: (seat) => reused.inc(labelsOf(seat)),
    sessionIdled: (seat) => idled.inc(labelsOf(seat)),
    sessionEnded(seat, end, wasOpen) {
      if (wasOpen) open.dec(labelsOf(seat));
      ended.inc({ ...labelsOf(seat), end });
    },
    replied: (stage, waitedMs) => stages.observe({ stage }, waitedMs / 1000),
    refused: (seat, stage, about) => refusals.inc({ ...labelsOf(seat), stage, class: about }),
    puzzled: () => unknown.inc(),
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
