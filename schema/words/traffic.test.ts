import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { loggedLately, STEPS_MS, stepOf, trafficOf } from './traffic.ts';

const step = (ms: number): number | undefined => STEPS_MS.find((one) => ms <= one);

it('adds up minutes, most frequent first', () => {
  const minute = { calls: 3, addresses: 30, ms_100: 2, ms_2000: 1, status_valid: 20, reason_timeout: 10 };
  const failed = { calls: 1, faults: 1, fault_database: 1 };
  expect(trafficOf([minute, failed, { status_unknown: 25 }])).toEqual({
    calls: 4,
    addresses: 30,
    faults: 1,
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

it('a quantile is the step of the call at that rank', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 200 }), (times) => {
      const { p50Ms, p99Ms } = trafficOf(times.map((ms) => ({ [stepOf(ms)]: 1 })));
      const sorted = times.toSorted((a, b) => a - b);
      const at = (share: number): number => sorted[Math.ceil(share * times.length) - 1] ?? 0;
      expect([p50Ms, p99Ms]).toEqual([step(at(0.5)), step(at(0.99))]);
    }),
  );
});
