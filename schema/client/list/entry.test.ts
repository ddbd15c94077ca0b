import { expect, test } from 'vitest';
import { identityOf } from './entry.ts';

test.each([
  [' u\u0308@A.test', 'Ü@a.TEST'],
  ['a@münchen.de', 'A@XN--MNCHEN-3YA.DE'],
  ['a@mail.bücher.example', 'a@mail.xn--bcher-kva.example'],
  ['a@straße.example', 'a@xn--strae-oqa.example'],
  ['a@例え.jp', 'a@xn--r8jz45g.jp'],
  ['a@ｅxample.test', 'a@example.test'],
])('%s and %s are one mailbox', (one, other) => {
  expect(identityOf(one)).toBe(identityOf(other));
});

test.each([
  ['a@a.test', 'b@a.test'],
  ['a@münchen.de', 'a@munchen.de'],
  ['ü@a.test', 'xn--tda@a.test'],
  ['a@ü.test/x', 'a@xn--tda.test'],
  ['a@ü.test:25', 'a@xn--tda.test'],
])('%s and %s are two', (one, other) => {
  expect(identityOf(one)).not.toBe(identityOf(other));
});
