import { expect, test } from 'vitest';
import { resultOf } from '../testing/scripted-service.ts';
import { answers, identityOf, makeEntry, mayBeAddress, octets } from './entry.ts';

test('an entry is trimmed, knows its domain, and counts the octets of its JSON', () => {
  const place = { index: 3, input: ' Ann@A.test ' };
  expect(makeEntry(place, place.input, [])).toMatchObject({
    ...place,
    email: 'Ann@A.test',
    domain: 'a.test',
    bytes: '"Ann@A.test",'.length,
    asked: 0,
    failures: 0,
  });
  expect(makeEntry(place, '"a@b"@C.test', []).domain).toBe('c.test');
  expect(makeEntry(place, 'jörg@a.test', []).bytes).toBe(15);
});

test('octets are those of UTF-8', () => {
  expect(['ann', '\u007F', 'ü', '€', '\u{1F600}'].map(octets)).toEqual([3, 1, 2, 3, 4]);
});

test('a result answers its entry in lower case; beyond ASCII the service knows how that is written', () => {
  expect(answers(resultOf('ann@a.test'), ' Ann@A.test')).toBe(true);
  expect(answers(resultOf('bob@a.test'), 'ann@a.test')).toBe(false);
  expect(answers(resultOf('i@a.test'), 'İ@a.test')).toBe(true);
});

test('case and Unicode normalization make no difference between addresses', () => {
  expect(identityOf(' u\u0308@A.test')).toBe(identityOf('Ü@a.TEST'));
  expect(identityOf('a@a.test')).not.toBe(identityOf('b@a.test'));
});

test.each([
  ['a@b', true],
  [' a@b ', true],
  ['@b', false],
  ['a@', false],
  [' @ b', false],
  [`${'a'.repeat(1_398)}@b`, true],
  [`${'a'.repeat(1_399)}@b`, false],
])('%j may cost a credit: %j', (email, may) => {
  expect(mayBeAddress(email)).toBe(may);
});
