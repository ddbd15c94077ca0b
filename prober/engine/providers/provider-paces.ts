// How fast a receiving provider is asked from one egress address. Rows are for providers whose limits are known to be
// tighter than the default; senders that exceed them are deferred first and blocked later.

export type ProviderPace = {
  /** Registrable domain of the provider's MX hosts, or `default`. */
  readonly provider: string;
  /** Sessions at once. */
  readonly sessions: number;
  /** Sessions begun in any minute. */
  readonly sessionsPerMinute: number;
  /** Recipients a session, if fewer than the budget are borne; null if the budget holds. */
  readonly recipients: number | null;
};

export const DEFAULT_PACE: ProviderPace = {
  provider: 'default',
  sessions: 20,
  sessionsPerMinute: 600,
  recipients: null,
};

// The figures are those that large senders shape their traffic by (KumoMTA's published shaping data, August 2026).
export const PROVIDER_PACES: readonly ProviderPace[] = [
  DEFAULT_PACE,
  { provider: 'google.com', sessions: 5, sessionsPerMinute: 600, recipients: 50 },
  { provider: 'googlemail.com', sessions: 5, sessionsPerMinute: 600, recipients: 50 },
  { provider: 'outlook.com', sessions: 5, sessionsPerMinute: 600, recipients: 50 },
  { provider: 'mx.microsoft', sessions: 5, sessionsPerMinute: 600, recipients: 50 },
  { provider: 'yahoodns.net', sessions: 20, sessionsPerMinute: 600, recipients: 20 },
  { provider: 'icloud.com', sessions: 10, sessionsPerMinute: 600, recipients: 5 },
  { provider: 'orange.fr', sessions: 2, sessionsPerMinute: 600, recipients: null },
];
