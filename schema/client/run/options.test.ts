import { expect, test } from 'vitest';
import { settle, whole } from './options.ts';

test('what is not said has its default', () => {
  const { onOtherLine, listId, ...settled } = settle({});
  expect(settled).toEqual({
    ordered: false,
    inFlight: 4,
    waitS: null,
    rounds: 1,
    waitAtMostMs: 900_000,
    idempotencyKey: null,
    maxCredits: Infinity,
  });
  expect(onOtherLine({})).toBe(undefined);
  expect(listId).toMatch(/^\d{4,40}$/);
  expect(settle({}).listId).not.toBe(listId);
});

test('what is said is taken as it is', () => {
  const onOtherLine = console.info;
  const said = {
    ordered: true,
    inFlight: 1,
    waitS: 90,
    rounds: 9,
    waitAtMostMs: 0,
    idempotencyKey: 'k',
    listId: 'list of May',
    maxCredits: 0,
  };
  expect(settle({ ...said, onOtherLine })).toEqual({ ...said, onOtherLine });
});

test.each([
  [{ inFlight: 0 }],
  [{ waitS: 0 }],
  [{ waitS: 91 }],
  [{ rounds: 0 }],
  [{ waitAtMostMs: -1 }],
  [{ maxCredits: -1 }],
  [{ listId: '' }],
  [{ listId: 'l'.repeat(201) }],
  [{ listId: 'für Ann' }],
])('%j is refused by name', (wrong) => {
  expect(() => settle(wrong)).toThrow(Object.keys(wrong)[0]);
});

test('an option that does not exist is refused, and the ones that exist are named', () => {
  const misspelt: object = { maxCredit: 5 };
  expect(() => settle(misspelt)).toThrow(/Unknown option maxCredit: there are .*maxCredits/);
});

test.each([1.5, NaN, Infinity, -1, 10, 2 ** 53])('%d is no whole number from 0 to 9', (value) => {
  expect(() => whole('n', value, 0, 9)).toThrow(`n is ${value}: it must be a whole number from 0 to 9.`);
});

test.each([0, 9])('%d is one', (value) => {
  expect(whole('n', value, 0, 9)).toBe(value);
});

test.each(['a', '~!', 'a b', 'x'.repeat(255)])('%j is a key', (idempotencyKey) => {
  expect(settle({ idempotencyKey }).idempotencyKey).toBe(idempotencyKey);
});

test.each(['', ' ', ' a', 'a ', 'ü', 'a\tb', 'a\r\nb', 'x'.repeat(256)])('%j is none', (idempotencyKey) => {
  expect(() => settle({ idempotencyKey })).toThrow('idempotencyKey must be');
});
