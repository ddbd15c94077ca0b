import { describe, expect, test } from 'vitest';
import { ReplyReader } from '../../smtp/wire/reply.ts';
import { classify } from '../classify.ts';

/** As bytes on the wire: hexadecimal, since the runtime only encodes UTF-8. */
function meaningOf(code: number, hex: string): string | undefined {
  const reader = new ReplyReader();
  const words = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  reader.feed(new Uint8Array([...new TextEncoder().encode(`${code} `), ...words, 13, 10]));
  const reply = reader.next();
  return reply === null ? undefined : classify('rcpt', reply).meaning;
}

describe('a reply that is not UTF-8', () => {
  test.each([
    ['latin-1', 'Empfänger unbekannt', 550, '456d7066e46e67657220756e62656b616e6e74', 'no_such_mailbox'],
    [
      'latin-1',
      'Boîte aux lettres désactivée',
      550,
      '426fee746520617578206c6574747265732064e9736163746976e965',
      'no_such_mailbox',
    ],
    ['latin-1', 'El buzón está lleno', 552, '456c2062757af36e20657374e1206c6c656e6f', 'mailbox_full'],
    ['cp1251', 'Почтовый ящик переполнен', 552, 'cfeef7f2eee2fbe920fff9e8ea20efe5f0e5efeeebede5ed', 'mailbox_full'],
    [
      'cp1251',
      'Ваш IP-адрес заблокирован',
      554,
      'c2e0f82049502de0e4f0e5f120e7e0e1ebeeeae8f0eee2e0ed',
      'policy_rejected',
    ],
    ['iso8859-2', 'Użytkownik nie istnieje', 550, '55bf79746b6f776e696b206e6965206973746e69656a65', 'no_such_mailbox'],
    [
      'iso8859-2',
      'Schránka příjemce neexistuje',
      550,
      '53636872e16e6b612070f8ed6a656d6365206e656578697374756a65',
      'no_such_mailbox',
    ],
    ['gb2312', '收件人不存在', 550, 'cad5bcfec8cbb2bbb4e6d4da', 'no_such_mailbox'],
    ['gb2312', '您的IP在黑名单中', 554, 'c4fab5c44950d4dabadac3fbb5a5d6d0', 'policy_rejected'],
  ])('is read in %s: %s', (_charset, _words, code, hex, meaning) => {
    expect(meaningOf(code, hex)).toBe(meaning);
  });

  test('is read as it is if no charset knows any of its words', () => {
    expect(meaningOf(550, 'fffefdfc')).toBe('unexpected');
  });
});
