import { describe, expect, it } from 'vitest';
import { signalsSchema } from '../../schema/evidence.ts';
import { isDisposable } from './disposable.ts';
import { isFreeProvider } from './free.ts';
import { PROVIDER_DOMAINS } from '../../schema/consumer-domains.ts';
import { signalsOf } from './signals.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

describe('isDisposable', () => {
  it.each(
    words(`
mailinator.com anything.mailinator.com a.b.mailinator.com yopmail.com 10minutemail.com guerrillamail.com
  `),
  )('is true for %s', (domain) => expect(isDisposable(domain)).toBe(true));

  // One tenant of dynv6.net is listed, not the others; dns.army is, and its tenants' names are separate.
  it.each([
    '',
    ...words(`
example.com gmail.com mailinator.com.example.com notmailinator.example mailinator.org.uk somebody.dynv6.net
somebody.dns.army com co.uk localhost
  `),
  ])('is false for %j', (domain) => expect(isDisposable(domain)).toBe(false));

  it('is always false for a big provider, even if it is listed', () => {
    expect([...PROVIDER_DOMAINS].filter((domain) => isDisposable(domain))).toEqual([]);
  });
});

describe('isFreeProvider', () => {
  it.each(
    words(`
gmail.com googlemail.com yahoo.co.uk hotmail.fr outlook.de icloud.com gmx.ch web.de t-online.de orange.fr libero.it
wp.pl qq.com 163.com mail.ru proton.me pm.me rediffmail.com btinternet.com comcast.net uol.com.br naver.com
  `),
  )('is true for %s', (domain) => expect(isFreeProvider(domain)).toBe(true));

  it.each([
    '',
    ...words(`
example.com google.com microsoft.com apple.com facebook.com nus.edu.sg mailinator.com gmai.com hotmail.con
sub.gmail.com com
  `),
  ])('is false for %j', (domain) => expect(isFreeProvider(domain)).toBe(false));
});

describe('signalsOf', () => {
  it.each([
    ['info', 'example.com', { disposable: false, free: false, role: true, typoOf: null }],
    ['john', 'gmail.com', { disposable: false, free: true, role: false, typoOf: null }],
    ['john', 'gmai.com', { disposable: false, free: false, role: false, typoOf: 'gmail.com' }],
    ['john', 'mailinator.com', { disposable: true, free: false, role: false, typoOf: null }],
    ['abuse', '[192.0.2.1]', { disposable: false, free: false, role: true, typoOf: null }],
    ['john', '[ipv6:::1]', { disposable: false, free: false, role: false, typoOf: null }],
    ['john', 'xn--bcher-kva.example', { disposable: false, free: false, role: false, typoOf: null }],
  ])('of %s@%s are %j', (local, domain, signals) => {
    expect(signalsOf({ local, domain })).toEqual(signals);
    expect(signalsSchema.safeParse(signals).success).toBe(true);
  });
});
