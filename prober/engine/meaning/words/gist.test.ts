import { describe, expect, test } from 'vitest';
import { gistOf, readText, withoutNames } from './gist.ts';

const read = (...lines: readonly string[]): string => readText({ code: 550, enhanced: null, lines: [...lines] });
const gist = (text: string): string => gistOf(withoutNames(text));

describe('the gist of a reply', () => {
  test.each([
    ['<a@b.example>: Utilisateur inconnu', ' addr BOX gone . '],
    ['Der Empfaenger existiert nicht', ' BOX exist not . '],
    ['Der Empfänger existiert nicht', ' BOX exist not . '],
    ['El usuario no existe', ' BOX not exist . '],
    ['Пользователь не найден', ' BOX not exist . '],
    ['收件人不存在', ' BOX gone . '],
    ["User doesn't exist", ' BOX not exist . '],
    ['User doesn’t exist', ' BOX not exist . '],
    ['RESOLVER.ADR.RecipNotFound', ' fqdn . BOX not exist . '],
    ['[192.0.2.1] and 2001:db8::1', ' IP IP . '],
    ['listed on zen.spamhaus.org', ' listed on LIST . '],
    ['see https://www.spamcop.net/bl.shtml?192.0.2.1', ' see LIST . '],
    ['is_blocked.For example', ' blocked . for example . '],
    ['', '  . '],
  ])('of %j', (text, expected) => {
    expect(gist(text)).toBe(expected);
  });
});

describe('the text that is read', () => {
  const RECITED = '5.1.1 Requested action not taken: mailbox unavailable';

  test('is the beginning of an endless reply', () => {
    const text = read('the beginning', ...Array.from({ length: 500 }, () => 'x'.repeat(5000)));
    expect([text.length, text.startsWith('the beginning\n')]).toEqual([2_000, true]);
  });

  test.each([
    ['is what follows the text quoted from RFC 5321', [RECITED, 'User unknown'], 'User unknown'],
    ['is that text if nothing follows', [RECITED], RECITED],
    [
      'includes that text if only a link follows',
      [RECITED, 'see https://a.example/550'],
      `${RECITED}\nsee https://a.example/550`,
    ],
  ])('%s', (_what, lines, text) => {
    expect(read(...lines)).toBe(text);
  });
});
