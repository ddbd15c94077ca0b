import { describe, expect, test } from 'vitest';
import { createInflection } from './inflection.ts';

const KNOWN = [
  ['suspended', 'gone'],
  ['desconocido', 'gone'],
  ['неизвестныи', 'gone'],
  ['nieznany', 'gone'],
  ['disabled', 'gone'],
  ['listing', 'listed'],
  ['posted', 'accept'],
  ['poster', 'BOX'],
  ['posters', 'BOX'],
  ['senders', 'SENDER'],
].map(([word = '', stands = '']) => ({ word, stands, hasForms: word !== 'senders' }));
const kinOf = createInflection((head) => KNOWN.filter(({ word }) => word.startsWith(head)));

describe('a form of a known word', () => {
  test.each([
    ['suspends', 'suspended'],
    ['suspending', 'suspended'],
    ['suspend', 'suspended'],
    ['disabling', 'disabled'],
    ['desconocidas', 'desconocido'],
    ['неизвестная', 'неизвестныи'],
    ['nieznanego', 'nieznany'],
    ['posters', 'posters'],
  ])('is found: %s', (word, known) => {
    expect(kinOf(word)).toBe(known);
  });

  test.each(['lists', 'post', 'sendersy', 'postings', 'known', 'suspicious', 's'.repeat(5_000)])(
    'is not found: %s',
    (word) => {
      expect(kinOf(word)).toBeUndefined();
    },
  );
});
