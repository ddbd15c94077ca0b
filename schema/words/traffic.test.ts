import { expect, it } from 'vitest';
import { loggedLately, trafficOf } from './traffic.ts';

it('adds up minutes, most frequent first', () => {
  const minute = { calls: 3, addresses: 30, ms_100: 2, ms_2000: 1, status_valid: 20, reason_timeout: 10 };
  const failed = { calls: 1, faults: 1, fault_database: 1 };
  expect(trafficOf([minute, failed, { status_unknown: 25, gone: 2 }])).toEqual({
    calls: 4,
    addresses: 30,
    faults: 1,
    gone: 2,
    p50Ms: 100,
    p99Ms: 2_000,
    statuses: [
      ['unknown', 25],
      ['valid', 20],
    ],
    reasons: [['timeout', 10]],
    faultsBy: [['database', 1]],
    errors: [],
  });
});

it('lists the errors of the last ten minutes and when the last one came', () => {
  const minutes = Array.from({ length: 11 }, (_, ago) => (ago === 10 ? { error_old: 1 } : { error_mail_failed: 2 }));
  expect(loggedLately(minutes)).toEqual({ errors: [['mail_failed', 20]], ago: 0 });
  expect(loggedLately([{ calls: 3 }, {}, {}, ...minutes])).toEqual({ errors: [['mail_failed', 14]], ago: 3 });
  expect(loggedLately([{ calls: 3 }])).toBeNull();
});

it('has no quantile without calls, or beyond the last step', () => {
  expect(trafficOf([])).toMatchObject({ calls: 0, p50Ms: null, p99Ms: null });
  expect(trafficOf([{ ms_more: 1 }])).toMatchObject({ p50Ms: null });
});
