import type { LogFields } from './log-fields.ts';

// Which log lines page an operator. `log` writes every line, so events that page, and errors that are only counted for
// operators, are collected there, and the next call with access to the Alarms object (a request, the cron, a Fleet
// object) hands them over a moment later. What a caller can cause alone does not page.

/** What stops requests, each with its runbook: posted each hour while it lasts. `edge/runbooks/events.md` explains all. */
const OUTAGES = {
  unexpected: 'edge/runbooks/requests-fail.md',
  verification_failed: 'edge/runbooks/requests-fail.md',
  fleet_unreachable: 'edge/runbooks/object-overloaded.md',
  service_down: 'edge/runbooks/service-down.md',
  sweep_failed: 'edge/runbooks/d1-slow.md',
  heartbeat_failed: 'edge/runbooks/d1-full.md',
  fleet_full: 'prober/runbooks/grow.md',
  host_away: 'prober/runbooks/host-away.md',
  host_unhealthy: 'prober/runbooks/host-sick.md',
  host_crashes: 'prober/runbooks/crash-loop.md',
  job_not_signed: 'edge/runbooks/edge-key.md',
} as const;

/** What the service goes on with: posted when it begins. */
const WARNINGS = {
  host_suspect: 'prober/runbooks/host-differs.md',
  egress_trouble: 'prober/runbooks/host-sick.md',
} as const;

/** What waits for an operator, however silent it is: it has no end, and is posted each hour in which it is logged. */
const TASKS = {
  balance_mismatch: 'edge/runbooks/balance-mismatch.md',
  order_paid_closed: 'edge/runbooks/refund.md',
  order_unknown: 'edge/runbooks/orders.md',
  order_unannounced: 'edge/runbooks/orders.md',
  order_amount_differs: 'edge/runbooks/orders.md',
  order_checkout_differs: 'edge/runbooks/orders.md',
  order_refunded: 'edge/runbooks/refund.md',
  order_disputed: 'edge/runbooks/refund.md',
  order_not_booked: 'edge/runbooks/orders.md',
} as const;

export const PAGING = { ...OUTAGES, ...WARNINGS, ...TASKS } as const;
export type PageEvent = keyof typeof PAGING;

/** One event since the last time, and how often it occurred. */
export type Raised = { readonly event: string; readonly fields: LogFields; readonly times: number };

/** Variants of one event that are kept apart: a host, a cause. Far more than there are hosts and causes together. */
const KEPT_MAX = 200;

/** Not handed over yet: our own fixed words and ids of hosts. */
const raised = new Map<string, Raised>();

export function isPaging(event: string): event is PageEvent {
  return Object.hasOwn(PAGING, event);
}

/** An error that only recurs is like a task: nobody knows whether its silence means anything. */
export function kindOf(event: string): 'outage' | 'warning' | 'task' {
  if (Object.hasOwn(OUTAGES, event)) return 'outage';
  return Object.hasOwn(WARNINGS, event) ? 'warning' : 'task';
}

/** Distinguishes alarms of one event: by its subject, and by the reason without its figures, which change each minute. */
export function alarmKey(event: string, fields: LogFields): string {
  const { host, checkoutId, orderId, accountId, database, egress, cause, why } = fields;
  const subject = host ?? checkoutId ?? orderId ?? accountId ?? database ?? '';
  const reason = String(why ?? cause ?? '').replaceAll(/\(.*\)|\b\d+\b/g, '#');
  return [event, subject, egress ?? '', reason].join(' ').trim();
}

/** Notes an event that pages, or an error. @param times how often it occurred */
export function noteRaised(event: string, fields: LogFields, times = 1): void {
  const key = alarmKey(event, fields);
  const known = raised.get(key);
  if (known !== undefined) raised.set(key, { ...known, times: known.times + times });
  else if (raised.size < KEPT_MAX) raised.set(key, { event, fields, times });
}

export function takeRaised(): readonly Raised[] {
  if (raised.size === 0) return [];
  const taken = [...raised.values()];
  raised.clear();
  return taken;
}
