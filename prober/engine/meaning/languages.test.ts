import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { COMMON_PHRASES } from '../../testing/replies/common-phrases.ts';
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

const COMMON = Object.entries(COMMON_PHRASES).flatMap(([language, { gone, full, later, refused }]) => [
  { language, code: 550, meaning: 'no_such_mailbox', phrases: gone },
  { language, code: 552, meaning: 'mailbox_full', phrases: full },
  { language, code: 451, meaning: 'deferred', phrases: later },
  { language, code: 554, meaning: 'policy_rejected', phrases: refused },
]);

describe('a reply in another language', () => {
  test.each(COMMON)(
    'with one of the most common phrases is read: $language, $meaning',
    ({ code, meaning, phrases }) => {
      const other = phrases.split(';').filter((phrase) => meaningOf(`${code} ${phrase}`) !== meaning);
      expect(other).toEqual([]);
      const shouted = phrases.split(';').filter((phrase) => meaningOf(`${code} ${phrase.toUpperCase()}`) !== meaning);
      expect(shouted).toEqual([]);
    },
  );

  test.each(ROWS)('$of: $code $phrase: $meaning', ({ code, phrase, meaning }) => {
    expect(meaningOf(`${code} ${phrase}`)).toBe(meaning);
  });

  test.each(ROWS.filter(({ meaning }) => meaning === 'policy_rejected'))(
    'is not about the mailbox if it refuses us, with any enhanced code: $of: $phrase',
    ({ phrase }) => {
      expect(meaningOf(`550 5.1.1 ${phrase}`)).toBe('policy_rejected');
    },
  );

  test.each(ROWS.filter(({ meaning }) => meaning === 'no_such_mailbox'))(
    'is not final if it is about the moment: $of: $phrase',
    ({ phrase }) => {
      expect(meaningOf(`450 ${phrase}`)).toBe('deferred');
    },
  );

  test('is covered by fifteen phrases and a source in each of seventeen languages', () => {
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
    'Ihr Benutzerkonto existiert nicht',
    "Votre nom de domaine n'existe pas",
    'Su cuenta ha sido desactivada',
    'Seu domínio não existe',
    'Il tuo account non esiste',
    'Uw domein bestaat niet',
    'Twoja domena nie istnieje',
    'Vaše doména neexistuje',
    'Dit domæne er ukendt',
    'Ваш почтовый ящик удалён',
    'Hesabınız devre dışı',
    'Ditt konto finns inte',
    'Ο λογαριασμός σας δεν υπάρχει',
    'החשבון שלך לא קיים',
    'حسابك غير موجود',
    '您的帐户已被停用',
    'あなたのドメインは存在しません',
    '귀하의 계정은 존재하지 않습니다',
  ])('is about us if it mentions something of ours: %s', (phrase) => {
    expect(['no_such_mailbox', 'relay_denied']).not.toContain(meaningOf(`550 ${phrase}`));
  });

  test.each([
    ['no_such_mailbox', "550 L'adresse de votre correspondant n'existe pas"],
    ['no_such_mailbox', '550 Su correo no pudo ser entregado. Usuario desconocido'],
    ['no_such_mailbox', '550 Ihre Nachricht konnte nicht zugestellt werden. Benutzer unbekannt'],
    ['no_such_mailbox', '550 Этот почтовый ящик больше не используется'],
    ['no_such_mailbox', '550 Esta cuenta ya no se utiliza'],
    ['no_such_mailbox', '550 Ten adres e-mail nie jest już używany'],
    ['no_such_mailbox', '550 Bu e-posta adresi kullanılmıyor'],
    ['policy_rejected', "550 Nous n'acceptons pas de messages de votre serveur"],
    ['policy_rejected', '550 Wir nehmen von Ihrem Server keine Mails an'],
    ['policy_rejected', '550 Przekroczono liczbę nieistniejących odbiorców'],
    ['policy_rejected', '550 Превышено число неизвестных получателей'],
    ['mailbox_full', '552 El usuario superó el límite de su buzón'],
    ['mailbox_full', '552 O destinatário excedeu o limite da sua caixa postal'],
  ])('is about the party it names: %s by "%s"', (meaning, raw) => {
    expect(meaningOf(raw)).toBe(meaning);
  });
});
