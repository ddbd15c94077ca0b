import { describe, expect, test } from 'vitest';
import { findAddressColumn, SAMPLE_ROWS } from './address-column.ts';
import { isAddressName } from './address-name.ts';

/** The column of a list whose first line names its columns. */
const found = (text: string) => {
  const [names = [], ...rows] = text.split('\n').map((line) => line.split(';'));
  return findAddressColumn(names, rows);
};
const times = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `\n${line(n)}`).join('');

describe('the column of addresses', () => {
  test.each([
    ['is the only one with addresses, under any name', 'id;kontakt\n1;a@x.test\n2;b@x.test', 1],
    ['is found though most of its cells are wrong or empty', `id;x\n1;a@x.test${times(5, () => '1;none')}`, 1],
    ['is the one of several with such a name', 'sold by;E-Mail\nm@x.test;a@x.test', 1],
    ["is not that of somebody else's address", 'Manager email;Email address\nm@x.test;a@x.test', 1],
    ['is the one with such a name, though another is fuller', 'Manager email;E-Mail\nm@x.test;a@x.test\nn@x.test;', 1],
    [
      'is the one with such a name, though badly kept',
      'Manager email;E-Mail\nm@x.test;a@x.test\nn@x.test;none\no@x.test;?',
      1,
    ],
    [
      'is not that of the owner',
      `Client;Adresse e-mail;Commercial${times(9, (n) => `c;${n < 3 ? '-' : `c${n}@x.test`};m@x.test`)}`,
      1,
    ],
    [
      'may have several in a cell',
      `Name;E-mail 1 - Value;E-mail 2 - Value${times(9, (n) => `n;a${n}@x.test ::: b@x.test;${n < 2 ? 'c@x.test' : ''}`)}`,
      1,
    ],
    ['is the one with such a name if no cell decides', 'id;Email Address\n1;?', 1],
    ['has addresses, not only such a name', 'email;contact\nyes;a@x.test', 1],
    ['may have names beside the addresses', 'id;to\n1;Ann Lee <a@x.test>', 1],
    ['is not one of results', 'kontakt;rcpt_email\na@x.test;a@x.test', 0],
    ['may be one that the header does not know', 'id\n1;a@x.test', 1],
    [
      'is not one of that name without an address',
      `Email;Email;Owner${times(9, (n) => `;a${n}@x.test;m${n}@x.test`)}`,
      1,
    ],
    ['may be the only one, whatever stands in it', `list${times(9, () => 'a@x.test')}`, 0],
  ])('%s', (_name, text, column) => {
    expect(found(text)).toEqual({ kind: 'found', column });
  });

  test.each([
    ['is not guessed among several; the likeliest comes first', 'from;to\nm@x.test;a@x.test\n?;b@x.test', [1, 0]],
    ['is not guessed between two such names', 'email;mail\nm@x.test;a@x.test', [0, 1]],
    ['is asked for if that name is empty at the top', 'Manager email;E-Mail\nm@x.test;\nn@x.test;\no@x.test;', [1, 0]],
    [
      'is asked for where it may have addresses further down',
      `Email;Owner${times(SAMPLE_ROWS, (n) => `none;m${n}@x.test`)}`,
      [0, 1],
    ],
    [
      'is asked for though the other has one address in every row',
      `Customer;Contact Email;Account Owner${times(20, (n) => `c;${n % 2 === 0 ? 'none' : `c${n}@x.test`};m@x.test`)}`,
      [1, 2],
    ],
    ['is not the only one, if one address fills it', `Customer;Owner${times(5, () => 'c;m@x.test')}`, [1]],
    ['is not one with such a name, if one address fills it', `Customer;Email${times(5, () => 'c;m@x.test')}`, [1]],
  ])('%s', (_name, text, columns) => {
    expect(found(text)).toEqual({ kind: 'unclear', columns });
  });

  test.each([
    '',
    'id;name\n1;Ann',
    'Contact;Phone\nAnn Lee (ann@x.test);1',
    `id;x\n1;a@x.test${times(10, () => '1;broken')}`,
  ])('is missing if hardly any cell is an address: %j', (text) => {
    expect(found(text)).toEqual({ kind: 'none' });
  });

  test('is named in many languages, and no more than that', () => {
    const names =
      'Email|E-Mail|e_mail|EMAIL ADDRESS|EmailAddress|Email*|1. Email|Email Address [Required]|E-Mail (Pflichtfeld)|Email1Address|Primary email|E-mail 1 - Value|emailaddress1|E-Mail-Adresse|Mailadresse|Adresse e-mail|Adresse de messagerie|Courriel|Correo electrónico|Dirección de correo electrónico|Indirizzo e-mail|Endereço de e-mail|E-mailadres|Adres e-mail|E-postadress|E-posta adresi|Электронная почта|Адрес электронной почты|メールアドレス|邮箱|电子邮箱|電子郵件|이메일|이메일 주소';
    const others =
      'Contact Email|Owner email|Email 2|Email (owner)|1.email|email.1|E-mail 2 - Value|Email opt-in|Address|Adresse|Mailing address|Mailbox type|Last email sent|メール配信|';
    expect(names.split('|').filter((name) => !isAddressName(name))).toEqual([]);
    expect(others.split('|').filter(isAddressName)).toEqual([]);
  });
});
