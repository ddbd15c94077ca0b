import { expect, it } from 'vitest';
import {
  afterAgreement,
  afterAlone,
  isDiscredited,
  mailboxComplaint,
  NEW_MAILBOXES,
  trialOf,
  withoutWordOf,
} from './mailbox-record.ts';

const SECOND = 1_000;
const HALF = Math.log(2);
const BY = ['x', 'y'];

/** A host that stood alone at this many domains, one a second, each of another owner unless `zones` says how many. */
function alone(domains: number, account = (_n: number) => 'acme', zones = domains, denied = false) {
  let record = NEW_MAILBOXES;
  for (let n = 0; n < domains; n += 1)
    record = afterAlone(record, {
      domain: n,
      zone: n % zones,
      account: account(n),
      atMs: n * SECOND,
      firm: !denied,
      by: BY,
    });
  return record;
}

it('is on trial with the account that something of its own spoke against, and with others from two owners on', () => {
  expect(trialOf(NEW_MAILBOXES, 'acme', 0)).toBe('none');
  expect([trialOf(alone(1), 'acme', 0), trialOf(alone(1), 'bolt', 0)]).toEqual(['own', 'none']);
  expect(trialOf(alone(2), 'bolt', SECOND)).toBe('others');
  expect(trialOf(alone(8, undefined, 1), 'bolt', SECOND)).toBe('none');
  expect(trialOf(alone(2), 'acme', 700 * SECOND)).toBe('none');
});

/** Agreements, each of this worth, until an account believes it again. */
const agreedAfter = (domains: number, worth: number): number => {
  let record = alone(domains);
  for (let n = 0; n < 100; n += 1) {
    if (trialOf(record, 'acme', 10 * SECOND) === 'none') return n;
    record = afterAgreement(record, 'acme', worth, 10 * SECOND);
  }
  return Infinity;
};

it('is believed again after agreements, the more of them the more spoke against it', () => {
  expect([agreedAfter(1, HALF), agreedAfter(2, HALF), agreedAfter(1, 0.01)]).toEqual([6, 11, 10]);
});

it.each([
  ['five owners of domains of one account', alone(6), 6, true],
  ['as many, before others could speak for it', alone(6), 4, false],
  ['four owners', alone(12, undefined, 4), 12, false],
  ['five owners of ten accounts', alone(10, (n) => `a${n}`), 10, true],
  ['five owners, ten minutes ago', alone(6), 700, false],
  ['owners of names that others denied', alone(40, undefined, 40, true), 60, false],
])('is out or not: %s', (_what, record, atS, isOut) => {
  expect(mailboxComplaint(record, atS * SECOND) !== null).toBe(isOut);
});

it('is not put out while somebody speaks for it who has nothing against it, however many accuse it', () => {
  let record = alone(40, (n) => `hostile${n}`);
  for (let n = 0; n < 4; n += 1) record = afterAgreement(record, 'honest', HALF, 40 * SECOND);
  expect(mailboxComplaint(record, 41 * SECOND)).toBeNull();
  record = afterAlone(record, { domain: 99, zone: 99, account: 'honest', atMs: 42 * SECOND, firm: true, by: BY });
  expect(mailboxComplaint(record, 42 * SECOND)).not.toBeNull();
});

it('is not accused by hosts that have all shown to say one thing of everybody', () => {
  const record = alone(6);
  const only = (...out: readonly string[]) => withoutWordOf(record, (instance) => out.includes(instance));
  expect(['x', 'y'].map((out) => mailboxComplaint(only(out), 6 * SECOND) !== null)).toEqual([true, true]);
  expect([mailboxComplaint(only('x', 'y'), 6 * SECOND), trialOf(only('x', 'y'), 'bolt', 6 * SECOND)]).toEqual([
    null,
    'others',
  ]);
});

const said = (by: readonly string[], zone: number) => ({ domain: zone, zone, account: 'a', atMs: 0, firm: true, by });

it('is discredited by its own monotony at the domains of two owners, and by no word of others', () => {
  const [one, two] = [
    afterAlone(NEW_MAILBOXES, said([], 1)),
    afterAlone(afterAlone(NEW_MAILBOXES, said([], 1)), said([], 2)),
  ];
  expect([one, two, alone(40)].map((record) => isDiscredited(record, 0))).toEqual([false, true, false]);
  expect([isDiscredited(two, 700 * SECOND), withoutWordOf(two, () => true)]).toEqual([false, two]);
});

it('keeps a bounded number of either', () => {
  let record = alone(1_000, (n) => `a${n}`);
  for (let n = 0; n < 1_000; n += 1) record = afterAgreement(record, `b${n}`, 1, n);
  expect([record.alone.length, record.hearings.length]).toEqual([64, 128]);
});
