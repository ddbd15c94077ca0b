/** Every event that a host can log, and its level. What to do about each: `prober/runbooks/events.md`. */
const EVENTS = {
  started: 'info',
  linked: 'info',
  link_lost: 'warn',
  link_refused: 'error',
  edge_settings: 'info',
  settings_refused: 'warn',
  settings_not_kept: 'warn',
  ordered: 'info',
  job: 'info',
  job_refused: 'warn',
  frames_dropped: 'warn',
  metrics_served: 'info',
  metrics_port_taken: 'warn',
  engine_bug: 'error',
  engine_failed: 'error',
  engine_overdue: 'error',
  healthy: 'info',
  unhealthy: 'error',
  mailbox_unclear: 'warn',
  exhausted: 'error',
  provider_refuses: 'error',
  egress_trouble: 'error',
  egress_undeclared: 'warn',
  sender_undeclared: 'warn',
  draining: 'info',
  drained: 'info',
} as const;
export type Event = keyof typeof EVENTS;

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;
/** Writes one line. Operators search and alert by event; no field contains an address, a domain of one or a key. */
export type Log = (event: Event, fields?: LogFields) => void;

/** One JSON object per line. @param host the host's name; null until the enrolment has been read */
export function createLog(write: (line: string) => void, timestamp: () => string, host: string | null): Log {
  const who = host === null ? {} : { host };
  return (event, fields = {}) =>
    write(`${JSON.stringify({ at: timestamp(), level: EVENTS[event], ...who, event, ...fields })}\n`);
}
