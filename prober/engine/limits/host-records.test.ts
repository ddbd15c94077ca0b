import { expect, test } from 'vitest';
import { DEFAULTS } from '../ports/settings.ts';
import { RAISE_AFTER_MS } from './server/concurrency-limit.ts';
import { HostRecords, HOST_RECORDS_MAX } from './host-records.ts';

const MINUTE_MS = 60_000;

/** Opens this many more records, each of which cools down for an hour or is idle. @returns the most there ever were */
function open(records: HostRecords<never>, count: number, rests: boolean, from = 0, now = 0): number {
  let most = 0;
  for (let n = from; n < from + count; n += 1) {
    const { limit } = records.get(0, `ip ${n}`, now);
    if (rests) limit.coolDown.begin('blocked', now);
    most = Math.max(most, records.size);
  }
  return most;
}

test('there are never more records than the bound; of too many that rest the oldest half goes', () => {
  const records = new HostRecords<never>(DEFAULTS.limits);
  expect(open(records, HOST_RECORDS_MAX, true)).toBe(HOST_RECORDS_MAX);
  expect(open(records, 1, true, HOST_RECORDS_MAX)).toBe(HOST_RECORDS_MAX / 2 + 1);
  expect(records.peek(0, `ip ${HOST_RECORDS_MAX / 2 - 1}`)).toBeUndefined();
  expect(records.peek(0, `ip ${HOST_RECORDS_MAX / 2}`)).toBeDefined();
  expect(open(records, 3 * HOST_RECORDS_MAX, true, HOST_RECORDS_MAX + 1)).toBe(HOST_RECORDS_MAX);
});

test('a record is remembered for as long as what was named there counts', () => {
  const records = new HostRecords<never>(DEFAULTS.limits);
  records.get(0, 'busy', 0).invalid.count({ account: 1 }, 0);
  open(records, 2_000, false, 0, 59 * MINUTE_MS);
  expect(records.peek(0, 'busy')).toBeDefined();
  open(records, 2_000, false, 0, 61 * MINUTE_MS);
  expect(records.peek(0, 'busy')).toBeUndefined();
});

test('idle records are forgotten when there are twice as many as were left, and a minute later', () => {
  const records = new HostRecords<never>(DEFAULTS.limits);
  expect(open(records, 10_000, false)).toBe(1_024);
  expect(open(records, 2_000, true, 10_000)).toBeLessThan(4_096);
  expect(open(records, 10_000, false, 20_000)).toBeLessThan(3 * 2_000);
  open(records, 1, false, 30_000, MINUTE_MS);
  expect(records.size).toBe(2_001);
});

test('a record is remembered until its server has been tried with all that there may be', () => {
  const records = new HostRecords<never>(DEFAULTS.limits);
  records.get(0, 'narrow', 0).limit.concurrency.lower(8, 0);
  open(records, 2_000, false, 0, 2 * RAISE_AFTER_MS - 1);
  expect(records.peek(0, 'narrow')).toBeDefined();
  open(records, 4_000, false, 2_000, 2 * RAISE_AFTER_MS + MINUTE_MS);
  expect(records.peek(0, 'narrow')).toBeUndefined();
});
