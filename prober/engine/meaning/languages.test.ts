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

const DEAD = ['no_such_mailbox', 'relay_denied', 'mailbox_full'];
const COMMON = Object.entries(COMMON_PHRASES).map(([language, phrases]) => ({ language, phrases }));
const rows = (phrases: string | undefined): readonly string[] => phrases?.split(';') ?? [];
const forms = (phrases: string): readonly string[] => rows(phrases).filter((phrase) => phrase.includes('%'));
/** Each template with each of the subjects in it. */
const said = (templates: readonly string[], subjects: readonly string[]): readonly string[] =>
  templates.flatMap((form) => (form.includes('%') ? subjects.map((subject) => form.replace('%', subject)) : [form]));

describe('a reply in another language', () => {
  test.each(COMMON)('with one of the most common phrases is read: $language', ({ phrases }) => {
    const { box, gone, full, later, refused } = phrases;
    const read = [
      ...said(rows(gone), rows(box)).map((text) => ({ raw: `550 ${text}`, meaning: 'no_such_mailbox' })),
      ...said(rows(full), rows(box)).map((text) => ({ raw: `552 ${text}`, meaning: 'mailbox_full' })),
      ...rows(later).map((text) => ({ raw: `451 ${text}`, meaning: 'deferred' })),
      ...rows(refused).map((text) => ({ raw: `554 ${text}`, meaning: 'policy_rejected' })),
    ];
    expect(read.filter(({ raw, meaning }) => meaningOf(raw) !== meaning)).toEqual([]);
    const shouted = read
      .filter((_, at) => at % 5 === 0)
      .map(({ raw, meaning }) => ({ raw: raw.toUpperCase(), meaning }));
    expect(shouted.filter(({ raw, meaning }) => meaningOf(raw) !== meaning)).toEqual([]);
  });

  test.each(COMMON)(
    'calls no mailbox dead or full for its sender, its server or the moment: $language',
    ({ phrases }) => {
      const [gone, full] = [forms(phrases.gone), forms(phrases.full)];
      const moments = said(rows(phrases.now), said(gone, rows(phrases.box).slice(0, 1)));
      const read = [...said([...gone, ...full], rows(phrases.not)), ...moments].map((text) => `550 ${text}`);
      expect(read.filter((raw) => DEAD.includes(meaningOf(raw)))).toEqual([]);
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
