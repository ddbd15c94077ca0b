import { expect, test } from 'vitest';
import { ACCOUNTS_MAX, Refusals } from './refusals.ts';

const WHY = 'asked_too_much';

/** Several domains of an account are refused in a row. @returns the last conclusion */
function refuse(refusals: Refusals, account: number, domains = 3, now = 0) {
  return Array.from({ length: domains }, (_, d) =>
    refusals.add(account, `a${account}d${d}.test`, WHY, now, refusals.streak),
  ).at(-1);
}

test('three refused domains in a row start a cool-down for their account alone', () => {
  const refusals = new Refusals();
  expect(refuse(refusals, 1, 2)).toBe(false);
  expect(refuse(refusals, 1)).toBe(true);
  expect([refusals.restsUntil(1), refusals.restsUntil(2)]).toEqual([30_000, 0]);
});

test('three such accounts start a cool-down for all, two do not, however many domains they have', () => {
  const refusals = new Refusals();
  for (const account of [1, 2]) refuse(refusals, account, 50);
  expect([1, 2, 3].map((account) => refusals.restsUntil(account))).toEqual([30_000, 30_000, 0]);
  refuse(refusals, 3);
  expect([3, 4].map((account) => refusals.restsUntil(account))).toEqual([30_000, 30_000]);
});

test('at a listed provider no number of accounts starts one for all', () => {
  const refusals = new Refusals();
  for (let account = 1; account <= 10; account += 1) refuse(refusals, account, 50);
  refusals.isListed = true;
  expect([10, 11].map((account) => refusals.restsUntil(account))).toEqual([30_000, 0]);
});

test('a judged recipient ends every streak, even for a domain that was asked about before', () => {
  const refusals = new Refusals();
  refuse(refusals, 1, 2);
  const { streak } = refusals;
  refusals.end(2);
  expect(refusals.add(1, 'third.test', WHY, 0, streak)).toBe(false);
  expect(refuse(refusals, 1, 2)).toBe(false);
});

test('the cause is "blocked" only if every refusal says so', () => {
  const refusals = new Refusals();
  for (const domain of ['a.test', 'b.test']) refusals.add(1, domain, 'blocked', 0, 0);
  refusals.add(1, 'c.test', 'blocked', 0, 0);
  for (const domain of ['a.test', 'b.test']) refusals.add(2, domain, 'blocked', 0, 0);
  refusals.add(2, 'c.test', WHY, 0, 0);
  expect([refusals.restsUntil(1), refusals.restsUntil(2)]).toEqual([3_600_000, 30_000]);
});

test('at most the latest accounts are remembered', () => {
  const refusals = new Refusals();
  refuse(refusals, 0);
  for (let account = 1; account <= ACCOUNTS_MAX; account += 1) refuse(refusals, account, 1);
  expect(refusals.restsUntil(0)).toBe(0);
});
