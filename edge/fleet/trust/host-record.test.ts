import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AskedOf,
  afterAcceptance,
  afterContradiction,
  afterAssignment,
  afterReach,
  afterRefusal,
  complaint,
  assignedLately,
  type HostRecord,
  isAvoided,
  NEW_RECORD,
  trustOf,
} from './host-record.ts';

const MINUTE = 60_000;
const CHECKED: HostRecord = { ...NEW_RECORD, checked: true };

const asked = (domain: number, account = 'one'): AskedOf => ({ domain, zone: domain, account });

/** Contradicted at this many receivers, a millisecond apart, by these accounts in turn. */
function contradicted(
  record: HostRecord,
  count: number,
  accounts: readonly string[] = ['one'],
  fromMs = 1,
): HostRecord {
  let after = record;
  for (let n = 0; n < count; n += 1)
    after = afterContradiction(after, asked(n, accounts[n % accounts.length] ?? ''), false, fromMs + n);
  return after;
}

/** Missed 15 receivers that others reached, and reached somebody this many times. */
function reaching(times: number): HostRecord {
  let record = contradicted(CHECKED, 15, ['a', 'b', 'c']);
  for (let n = 0; n < times; n += 1) record = afterReach(record, null, 100);
  return record;
}

/** How it stands if one account contradicts it at this many receivers, and two others at as many more. */
function loud(count: number, others: number): ReturnType<typeof trustOf> {
  const accounts = Array.from({ length: count + others }, (_, n) => (n < count ? 'loud' : n % 2 === 0 ? 'a' : 'b'));
  return trustOf(afterReach(contradicted(CHECKED, accounts.length, accounts), null, 60), 60);
}

describe('trustOf', () => {
  it.each<[string, HostRecord, number, ReturnType<typeof trustOf>]>([
    ['nothing is known of it', NEW_RECORD, 0, 'unproven'],
    ['its canaries pass', CHECKED, 0, 'trusted'],
    ['it reached a mail server 10 minutes ago', afterReach(NEW_RECORD, null, 0), 10 * MINUTE, 'proven'],
    ['it reached a mail server longer ago', afterReach(NEW_RECORD, null, 0), 10 * MINUTE + 1, 'unproven'],
    ['it never reached anybody, and another did', contradicted(NEW_RECORD, 1), 5, 'unproven'],
    ['it reached none of 2 receivers since', contradicted(afterReach(NEW_RECORD, null, 0), 2), 9, 'proven'],
    ['it reached none of 3 receivers since', contradicted(afterReach(NEW_RECORD, null, 0), 3), 9, 'unproven'],
    ['it reached somebody after them', afterReach(contradicted(NEW_RECORD, 8), null, 10), 11, 'proven'],
    ['its canaries pass, and one account speaks against it', contradicted(CHECKED, 60), 99, 'trusted'],
    ['its canaries pass, and two do', contradicted(CHECKED, 60, ['a', 'b']), 99, 'trusted'],
    ['its canaries pass, and three do at 4', contradicted(CHECKED, 4, ['a', 'b', 'c']), 9, 'trusted'],
    ['its canaries pass, and three do at 5', contradicted(CHECKED, 5, ['a', 'b', 'c']), 9, 'unproven'],
    ['all that is 10 minutes old', contradicted(CHECKED, 5, ['a', 'b', 'c']), 10 * MINUTE + 6, 'trusted'],
  ])('if %s', (_name, record, now, standing) => {
    expect(trustOf(record, now)).toBe(standing);
  });

  it('turns against a host that reaches some, but misses more that others reach, whoever asks', () => {
    expect([14, 15].map((times) => trustOf(reaching(times), 100))).toEqual(['unproven', 'trusted']);
    expect(complaint(reaching(14), 100)).toBe('could not reach 15 receivers that other hosts reached');
  });

  it('counts 8 receivers of one account and no more', () => {
    // 15 in all make it sick.
    expect([loud(30, 6), loud(30, 7), loud(8, 7), loud(7, 7)]).toEqual(['trusted', 'unproven', 'unproven', 'trusted']);
  });

  it('counts the same receiver once', () => {
    let record = afterReach(NEW_RECORD, null, 0);
    for (let n = 1; n < 50; n += 1) record = afterContradiction(record, asked(7), false, n);
    expect(trustOf(record, 50)).toBe('proven');
  });

  it('never takes one account for many, however much it sends, and stays small', () => {
    const receiver = fc.record({ domain: fc.nat(500), account: fc.constantFrom('a', 'b') });
    fc.assert(
      fc.property(fc.array(receiver, { maxLength: 300 }), (all) => {
        let record = CHECKED;
        for (const [n, one] of all.entries())
          record = afterContradiction(record, { ...one, zone: one.domain }, false, n);
        expect(trustOf(record, all.length)).toBe('trusted');
        expect(complaint(record, all.length)).toBeNull();
        expect(record.contradictions.length).toBeLessThanOrEqual(64);
      }),
    );
  });
});

describe('isAvoided', () => {
  it('leaves a host alone that refuses every job, for longer each time, until it takes one', () => {
    const once = afterRefusal(NEW_RECORD, 'token', 0);
    expect([4_999, 5_000].map((now) => isAvoided(once, now))).toEqual([true, false]);
    const twice = afterRefusal(once, 'token', 5_000);
    expect([14_999, 15_000].map((now) => isAvoided(twice, now))).toEqual([true, false]);
    for (const record of [once, twice]) expect(isAvoided(afterAcceptance(record), 1)).toBe(false);
  });

  it('leaves a sick host alone until it reaches somebody', () => {
    const sick = contradicted(NEW_RECORD, 1);
    expect(isAvoided(sick, 2)).toBe(true);
    expect(isAvoided(afterReach(sick, null, 2), 2)).toBe(false);
    expect(isAvoided(sick, 6_000)).toBe(false);
    expect(isAvoided(afterAcceptance(sick), 2)).toBe(true);
  });
});

describe('complaint', () => {
  it('says why, the host’s own words first', () => {
    const sick = contradicted(NEW_RECORD, 2);
    expect(complaint(NEW_RECORD, 0)).toBeNull();
    expect(complaint(sick, 9)).toBe('reached none of 2 receivers that other hosts reached');
    expect(complaint({ ...sick, says: 'its self-check fails: host' }, 9)).toBe('its self-check fails: host');
  });

  it('is made of a host that refused three jobs in a row, each after its time', () => {
    let record = NEW_RECORD;
    const said = [0, 5_000, 15_000].map((now) => {
      record = afterRefusal(record, 'token', now);
      return complaint(record, now);
    });
    expect(said).toEqual([null, null, 'refuses every job: token']);
  });
});

it('forgets half of the jobs given every 10 s, and of their addresses', () => {
  const record = afterAssignment(afterAssignment(NEW_RECORD, 500, true, 0), 100, false, 0);
  expect([0, 10_000, 20_000].map((now) => assignedLately(record, now))).toEqual([
    { assigned: 2, assignedAddresses: 600, chances: 1 },
    { assigned: 1, assignedAddresses: 300, chances: 0.5 },
    { assigned: 0.5, assignedAddresses: 150, chances: 0.25 },
  ]);
});
