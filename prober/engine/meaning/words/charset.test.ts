import { describe, expect, test } from 'vitest';
import { ReplyReader } from '../../wire/reply.ts';
import { classify } from '../classify.ts';

/** As bytes on the wire: hexadecimal, since the runtime encodes UTF-8 alone. */
function meaningOf(code: number, hex: string): string | undefined {
  const reader = new ReplyReader();
  const words = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  reader.feed(new Uint8Array([...new TextEncoder().encode(`${code} `), ...words, 13, 10]));
  const reply = reader.next();
  return reply === null ? undefined : classify('rcpt', reply).meaning;
}

describe('a reply that is no UTF-8', () => {
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
    ['koi8-r', 'Пользователь не найден', 550, 'f0cfccd8dacfd7c1d4c5ccd820cec520cec1cac4c5ce', 'no_such_mailbox'],
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
    ['iso8859-7', 'Ο χρήστης δεν υπάρχει', 550, 'cf20f7f1def3f4e7f220e4e5ed20f5f0dcf1f7e5e9', 'no_such_mailbox'],
    ['iso8859-9', 'Böyle bir kullanıcı yok', 550, '42f6796c6520626972206b756c6c616efd63fd20796f6b', 'no_such_mailbox'],
    ['cp1255', 'המשתמש לא קיים', 550, 'e4eef9faeef920ece020f7e9e9ed', 'no_such_mailbox'],
    ['cp1256', 'المستخدم غير موجود', 550, 'c7e1e3d3cacecfe320dbedd120e3e6cce6cf', 'no_such_mailbox'],
    ['gb2312', '收件人不存在', 550, 'cad5bcfec8cbb2bbb4e6d4da', 'no_such_mailbox'],
    ['gb2312', '您的IP在黑名单中', 554, 'c4fab5c44950d4dabadac3fbb5a5d6d0', 'policy_rejected'],
    ['big5', '信箱已滿', 552, 'ab48bd63a477baa1', 'mailbox_full'],
    ['shift_jis', '宛先が見つかりません', 550, '88b690e682aa8ca982c282a982e882dc82b982f1', 'no_such_mailbox'],
    ['euc-kr', '존재하지 않는 사용자', 550, 'c1b8c0e7c7cfc1f620becab4c220bbe7bfebc0da', 'no_such_mailbox'],
  ])('is read in %s: %s', (_charset, _words, code, hex, meaning) => {
    expect(meaningOf(code, hex)).toBe(meaning);
  });

  test('with nothing in it that any charset knows is read as it is', () => {
    expect(meaningOf(550, 'fffefdfc')).toBe('unexpected');
  });
});
