import { expect, test } from 'vitest';
import { rawReply } from '../../../testing/raw-reply.ts';
import { classify } from '../classify.ts';
import { hasOddForm } from './odd-form.ts';

const PLAIN = ['jo', 'jo.smith', 'jo_smith+news', 'j-o', 'a'.repeat(64)];
const ODD = [
  '"jo smith"',
  'jo%example',
  'jo!example',
  '|prog',
  'jo..smith',
  '.jo',
  'jo.',
  'jö',
  'a'.repeat(65),
  '/dev/null',
  '',
];

const meaningFor = (local: string): string => {
  const recipient = { local, domain: 'example.com' };
  return classify('rcpt', rawReply(`550 <${local}@example.com>: Syntax error in parameters or arguments`), recipient)
    .meaning;
};

test.each(PLAIN)('%s has a plain form', (local) => {
  expect(hasOddForm({ local, domain: 'example.com' })).toBe(false);
});

test.each(ODD)('%s has an odd form', (local) => {
  expect(hasOddForm({ local, domain: 'example.com' })).toBe(true);
});

test('a domain has an odd form that no host name has', () => {
  expect(hasOddForm({ local: 'jo', domain: '[192.0.2.1]' })).toBe(true);
  expect(hasOddForm({ local: 'jo', domain: 'a..example' })).toBe(true);
});

test('a syntax error in the arguments is the address only if its form is odd', () => {
  expect(PLAIN.map(meaningFor)).toEqual(PLAIN.map(() => 'unexpected'));
  expect(['jo%example', 'jo!example', '"jo smith"'].map(meaningFor)).toEqual(Array(3).fill('no_such_mailbox'));
});
