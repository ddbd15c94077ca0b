import { expect, test } from 'vitest';
import { refuseUnreachable } from './unreachable.ts';

const isRefused = (domain: string, SIGN_IN_FROM = 'sign-in@verify.shop'): boolean => {
  try {
    refuseUnreachable({ SIGN_IN_FROM }, `ann@${domain}`);
    return false;
  } catch {
    return true;
  }
};

test.each(
  'shop.test a.b.invalid shop.example localhost mail.localhost printer.local db.internal x.onion 1.2.in-addr.arpa example.com mail.example.org server com'.split(
    ' ',
  ),
)('no mail reaches %s', (domain) => {
  expect([isRefused(domain), isRefused(domain, 'sign-in@rcpt.test')]).toEqual([true, false]);
});

test.each([
  'gmail.com',
  'test.com',
  'my-example.com',
  'example.co.uk',
  'invalid.de',
  'xn--bcher-kva.shop',
  'new.ending',
])('mail may reach %s', (domain) => expect(isRefused(domain)).toBe(false));
