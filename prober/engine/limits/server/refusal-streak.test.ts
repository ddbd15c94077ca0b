import { expect, test } from 'vitest';
import { RefusalStreak } from './refusal-streak.ts';

const asker = (account: string) => ({ account });

/** `a1` is account a's first domain; `.` an acceptance; `!` behind a domain: its words said that we are blocked. */
function conclude(row: string): string {
  const refusals = new RefusalStreak<string>();
  let last = 'nobody';
  for (const step of row.split(' ')) {
    if (step === '.') {
      refusals.end();
      continue;
    }
    const domain = step.replace('!', '');
    const conclusion = refusals.add(
      asker(domain.charAt(0)),
      domain,
      step.endsWith('!') ? 'blocked' : 'asked_too_much',
      0,
    );
    last = conclusion.for === 'nobody' ? 'nobody' : `${conclusion.for} ${conclusion.why}`;
  }
  return last;
}

test.each([
  ['one domain, however often', 'a1 a1 a1 a1 a1 a1', 'nobody'],
  ['two domains of one account', 'a1 a2 a1 a2', 'nobody'],
  ['three domains of one account', 'a1 a2 a3', 'account asked_too_much'],
  ['an acceptance between them', 'a1 a2 . a3', 'nobody'],
  [
    'a hundred domains of one account',
    Array.from({ length: 100 }, (_, i) => `a${i}`).join(' '),
    'account asked_too_much',
  ],
  [
    'a hundred domains of one account and one of another',
    `${Array.from({ length: 100 }, (_, i) => `a${i}`).join(' ')} b1`,
    'nobody',
  ],
  ['two and one', 'a1 a2 b1', 'nobody'],
  ['three and two', 'a1 a2 a3 b1 b2', 'nobody'],
  ['three and three', 'a1 a2 a3 b1 b2 b3', 'account asked_too_much'],
  ['three, two and one', 'a1 a2 a3 b1 b2 c1', 'everybody asked_too_much'],
  ['three accounts with one domain each', 'a1 b1 c1', 'nobody'],
  ['four accounts with one domain each', 'a1 b1 c1 d1', 'everybody asked_too_much'],
  ['after everybody rested the row begins anew', 'a1 b1 c1 d1 e1', 'nobody'],
  ['three blocked', 'a1! a2! a3!', 'account blocked'],
  ['two blocked of three', 'a1! a2 a3!', 'account asked_too_much'],
  ['four accounts blocked, all of a sudden', 'a1! b1! c1! d1!', 'nobody'],
  ['one of them was told so', 'a1 b1 c1! d1', 'nobody'],
])('%s: %s', (_what, row, expected) => {
  expect(conclude(row)).toBe(expected);
});

test('a domain that two accounts ask about is one domain, and still another account has seen it', () => {
  const refusals = new RefusalStreak<string>();
  const refuse = (account: string, domain: string) => refusals.add(asker(account), domain, 'asked_too_much', 0).for;
  expect(['a', 'b', 'c', 'd', 'e'].map((account) => refuse(account, 'same.test'))).toEqual(Array(5).fill('nobody'));
  expect([refuse('a', 'x.test'), refuse('b', 'y.test'), refuse('c', 'z.test')]).toEqual([
    'nobody',
    'nobody',
    'everybody',
  ]);
});

test('a row that nothing was added to for a quarter of an hour is broken, and may be forgotten', () => {
  const refusals = new RefusalStreak<string>();
  refusals.add(asker('a'), 'a.test', 'blocked', 0);
  refusals.add(asker('a'), 'b.test', 'blocked', 1000);
  expect([refusals.isForgettable(900_999), refusals.isForgettable(901_000)]).toEqual([false, true]);
  expect(refusals.add(asker('a'), 'c.test', 'blocked', 901_000).for).toBe('nobody');
});

test('of many accounts the latest are remembered', () => {
  const refusals = new RefusalStreak<number>();
  for (let account = 0; account < 3; account += 1) refusals.add({ account }, 'same.test', 'blocked', 0);
  for (let account = 0; account < 100; account += 1) refusals.add({ account }, 'same.test', 'blocked', 0);
  expect(refusals.add({ account: 0 }, 'x.test', 'blocked', 0).for).toBe('nobody');
  expect(refusals.add({ account: 0 }, 'y.test', 'blocked', 0).for).toBe('nobody');
});

test('a refusal that began before somebody was accepted is no part of the row that follows', () => {
  const refusals = new RefusalStreak<string>();
  const before = refusals.current;
  refusals.end();
  const late = ['x.test', 'y.test', 'z.test'].map(
    (domain) => refusals.add(asker('a'), domain, 'blocked', 0, before).for,
  );
  expect(late).toEqual(['nobody', 'nobody', 'nobody']);
  const since = refusals.current;
  const next = ['x.test', 'y.test', 'z.test'].map(
    (domain) => refusals.add(asker('a'), domain, 'blocked', 0, since).for,
  );
  expect(next).toEqual(['nobody', 'nobody', 'account']);
});

test('words that we are blocked count for everybody once nobody was served for a quarter of an hour', () => {
  const refusals = new RefusalStreak<string>();
  const add = (domain: string, now: number) => refusals.add(asker(domain.charAt(0)), domain, 'blocked', now).for;
  refusals.end();
  expect(['a1', 'b1', 'c1', 'd1', 'e1'].map((domain) => add(domain, 0))).toEqual(Array(5).fill('nobody'));
  expect([add('f1', 899_000), add('a1', 899_999)]).toEqual(['nobody', 'nobody']);
  expect(add('a1', 900_000)).toBe('everybody');
});
