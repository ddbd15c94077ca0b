import { expect, test } from 'vitest';
import { ACCOUNTS_MAX, Refusals } from './refusals.ts';

const WHY = 'asked_too_much';

/** An account's domains are refused in a row. @returns the last conclusion */
function refuse(refusals: Refusals, account: number, domains = 3, now = 0) {
  return Array.from({ length: domains }, (_, d) => refusals.add(account, `a${account}d${d}.test`, WHY, now)).at(-1);
}

test('three domains of an account in a row rest the address for that account alone', () => {
  const refusals = new Refusals();
  expect(refuse(refusals, 1, 2)).toEqual({ for: 'nobody' });
  expect(refuse(refusals, 1)).toEqual({ for: 'account', why: WHY });
  expect(refusals.rest(1, WHY, 0)).toBe(true);
  expect([refusals.restsUntil(1), refusals.restsUntil(2)]).toEqual([30_000, 0]);
});

test('three accounts at that point rest it for all, two do not, however many domains they have', () => {
  const refusals = new Refusals();
  refuse(refusals, 1, 50);
  expect(refuse(refusals, 2, 50)).toEqual({ for: 'account', why: WHY });
  expect(refuse(refusals, 3)).toEqual({ for: 'all', why: WHY });
});

test('a recipient that is judged ends every streak, also for a domain that was asked about before', () => {
  const refusals = new Refusals();
  refuse(refusals, 1, 2);
  const { streak } = refusals;
  refusals.end(2);
  expect(refusals.add(1, 'third.test', WHY, 0, streak)).toEqual({ for: 'nobody' });
  expect(refuse(refusals, 1, 2)).toEqual({ for: 'nobody' });
});

test('we are blocked only if every refusal says so', () => {
  const refusals = new Refusals();
  for (const domain of ['a.test', 'b.test']) refusals.add(1, domain, 'blocked', 0);
  expect(refusals.add(1, 'c.test', 'blocked', 0)).toEqual({ for: 'account', why: 'blocked' });
  expect(refusals.add(1, 'd.test', WHY, 0)).toEqual({ for: 'account', why: WHY });
});

test('a crowd of accounts leaves a bounded number, the latest', () => {
  const refusals = new Refusals();
  refuse(refusals, 0);
  refusals.rest(0, WHY, 0);
  for (let account = 1; account <= ACCOUNTS_MAX; account += 1) refuse(refusals, account, 1);
  expect(refusals.restsUntil(0)).toBe(0);
});
