import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { PHRASEBOOKS } from '../../testing/replies/seventeen-languages.ts';
import { classify } from './classify.ts';

const SAID = [
  ['noSuch', 550, 'no_such_mailbox'],
  ['disabled', 550, 'no_such_mailbox'],
  ['full', 552, 'mailbox_full'],
  ['later', 451, 'deferred'],
  ['refused', 554, 'policy_rejected'],
] as const;
const ROWS = PHRASEBOOKS.flatMap((book) =>
  SAID.flatMap(([what, code, meaning]) => book[what].map((phrase) => ({ of: book.language, code, phrase, meaning }))),
);
const meaningOf = (raw: string): string => classify('rcpt', rawReply(raw)).meaning;

describe('a reply in another language', () => {
  test.each(ROWS)('$of: $code $phrase: $meaning', ({ code, phrase, meaning }) => {
    expect(meaningOf(`${code} ${phrase}`)).toBe(meaning);
  });

  test.each(ROWS.filter(({ meaning }) => meaning === 'policy_rejected'))(
    'that refuses us is none about the mailbox, whatever its enhanced code: $of: $phrase',
    ({ phrase }) => {
      expect(meaningOf(`550 5.1.1 ${phrase}`)).toBe('policy_rejected');
    },
  );

  test.each(ROWS.filter(({ meaning }) => meaning === 'no_such_mailbox'))(
    'that says it of now is not final: $of: $phrase',
    ({ phrase }) => {
      expect(meaningOf(`450 ${phrase}`)).toBe('deferred');
    },
  );

  test('has fifteen phrases and a source in each of seventeen languages', () => {
    expect(PHRASEBOOKS).toHaveLength(17);
    for (const { sources, ...book } of PHRASEBOOKS) {
      expect(SAID.flatMap(([what]) => book[what])).toHaveLength(15);
      expect(sources.length).toBeGreaterThan(1);
    }
  });

  test.each([
    'Ihre Adresse wurde gesperrt',
    'Votre adresse est bloquée',
    'Su dirección de correo está bloqueada',
    'Seu endereço foi bloqueado',
    'Il tuo indirizzo è bloccato',
    'Uw adres is geblokkeerd',
    'Twój adres jest zablokowany',
    'Vaše adresa je zablokována',
    'Ваш адрес заблокирован',
    'Adresiniz engellendi',
    'Din adress är spärrad',
    'Η διεύθυνση σας αποκλείστηκε',
    'הכתובת שלך נחסמה',
    'عنوانك محظور',
    '您的邮箱已被禁用',
    'あなたのアドレスは無効です',
    '귀하의 주소가 차단되었습니다',
  ])('speaks of us if it says "your address": %s', (phrase) => {
    expect(['no_such_mailbox', 'relay_denied']).not.toContain(meaningOf(`550 ${phrase}`));
  });
});
