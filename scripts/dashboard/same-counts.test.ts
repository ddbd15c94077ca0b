import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FOUND, openFile } from '../../edge/dashboard/lists/reading/open-file.ts';
import { resultOf, ScriptedService } from '../../schema/client/testing/scripted-service.ts';
import { Results } from '../../schema/list-job/results.ts';
import { Scan } from '../../schema/list-job/scan.ts';
import { findAddressColumn } from '../../schema/lists/columns/address-column.ts';
import { encode } from '../../schema/lists/testing/encode.ts';
import { xlsxOf } from '../../schema/lists/testing/xlsx.ts';
import type { OpenResult } from '../../schema/words/result.ts';
import { newFolder, rcpt } from '../rcpt/testing/command.ts';

// The pages and the command count a file alike, and ask about its column where the other asks.

let folder: string;
beforeAll(async () => {
  folder = await newFolder();
});
afterAll(() => rm(folder, { recursive: true }));

const rows = (count: number, row: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => row(n)).join('');
const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'));

/** Files as people have them, and rows, different addresses and the name of their column; null: somebody is asked. */
type File = readonly [
  name: string,
  content: string | Uint8Array,
  rows: number,
  addresses: number,
  column: string | null,
];

const FILES: readonly File[] = [
  [
    'hubspot.csv',
    `Record ID,First Name,Email,Contact owner\n${rows(9, (n) => `${n},A,a${n}@x.test,m@x.test\n`)}`,
    9,
    9,
    'Email',
  ],
  [
    'salesforce.csv',
    `"Name","Email","Owner"\n${rows(9, (n) => `"A","a${n}@x.test","m@x.test"\n`)}"Grand Totals","",""\n`,
    10,
    9,
    'Email',
  ],
  [
    'owner.csv',
    `Customer,Contact Email,Account Owner\n${rows(20, (n) => `c,${n % 2 === 0 ? 'none' : `a${n}@x.test`},m@x.test\n`)}`,
    0,
    0,
    null,
  ],
  ['only-owner.csv', `Customer,Owner\n${rows(9, () => 'c,m@x.test\n')}`, 0, 0, null],
  [
    'google.csv',
    `Name,E-mail 1 - Value,E-mail 2 - Value\n${rows(9, (n) => `A,a${n}@x.test ::: b@x.test,${n < 2 ? 'c@x.test' : ''}\n`)}D,d@x.test,\n`,
    10,
    1,
    'E-mail 1 - Value',
  ],
  [
    'outlook.csv',
    '"First Name","E-mail Address","E-mail 2 Address"\n"A","a@x.test","b@x.test"\n"C","/o=Ex/cn=C",""\n',
    2,
    1,
    'E-mail Address',
  ],
  ['mailchimp.csv', 'Email Address,First Name\na@x.test,A\nA@x.test,B\n', 2, 1, 'Email Address'],
  [
    'mailchimp.json',
    '{"members":[{"email_address":"a@x.test"},{"email_address":"n/a"}],"total_items":2}',
    2,
    1,
    'email_address',
  ],
  ['emails.json', '{"emails":["a@x.test","b@x.test","a@x.test"]}', 3, 2, 'email'],
  ['array.json', '["a@x.test","b@x.test"]', 2, 2, 'email'],
  ['lines.jsonl', '{"id":1,"email":"a@x.test"}\n{"id":2,"email":null}\n', 2, 1, 'email'],
  ['plain.txt', 'a@x.test\nb@x.test.\n\nb\u200B@x.test\nn/a\n', 4, 2, 'email'],
  ['no-header.csv', 'a@x.test\nb@x.test\n', 2, 2, 'email'],
  ['prices.csv', '12,50;a@x.test;11,00\n9,00;b@x.test;1,10\n7,25;;3,00\n', 3, 2, 'email'],
  [
    'de.csv',
    encode('Kunde;E-Mail-Adresse;Betrag\nMüller;a@x.test;1,50\nGroß…;b@x.test;2\n', 'windows-1252'),
    2,
    2,
    'E-Mail-Adresse',
  ],
  [
    'fr.csv',
    encode(`Client;Adresse e-mail;Commercial\n${rows(9, (n) => `Société;a${n}@x.test;m@x.test\n`)}`, 'windows-1252'),
    9,
    9,
    'Adresse e-mail',
  ],
  [
    'swiss.csv',
    encode('Firma;Mail\nNESTLÉ® Schweiz;a@x.test\nGroß…;b@x.test\n«CAFÉ»;-\n', 'windows-1252'),
    3,
    2,
    'Mail',
  ],
  ['pl.csv', encode('Nazwa;Adres e-mail\nŁódź;a@x.test\nŚwięty;brak\n', 'windows-1250'), 2, 1, 'Adres e-mail'],
  ['ru.csv', encode('Клиент;Эл. почта\nИван;a@x.test\nОльга;нет\n', 'windows-1251'), 2, 1, 'Эл. почта'],
  ['cn.csv', encode('姓名,邮箱\n王小明,a@x.test\n张伟,b@x.test\n', 'gbk'), 2, 2, '邮箱'],
  ['tw.csv', encode('姓名,電子郵件\n陳怡君,a@x.test\n林志明,b@x.test\n', 'big5'), 2, 2, '電子郵件'],
  ['kr.csv', encode('이름,이메일\n김철수,a@x.test\n이영희,b@x.test\n', 'euc-kr'), 2, 2, '이메일'],
  [
    'jp.csv',
    encode('氏名,メールアドレス\n山田太郎,a@x.test\n鈴木一郎,b@x.test\n', 'shift_jis'),
    2,
    2,
    'メールアドレス',
  ],
  ['unicode.txt', utf16('Name\tE-Mail\nMüller\ta@x.test\n'), 1, 1, 'E-Mail'],
  ['sep.csv', 'sep=;\nid;email\n1;a@x.test\n', 1, 1, 'email'],
  ['erp.csv', 'Kundenliste;;;\nStand:;28.11.2026;;\n\nNr;Firma;Ort;Mail\n1;A;B;a@x.test\n2;C;D;\n', 2, 1, 'Mail'],
  ['report.csv', 'Report\nby Ann, 28 Nov\n\nNr;Name;E-Mail;Ort\n1;A;a@x.test;B\n2;B;b@x.test;C\n', 2, 2, 'E-Mail'],
  ['contact.csv', 'Contact,Phone\nAnn Lee (ann@x.test),1\nBob (bob@x.test),2\n', 0, 0, null],
  [
    'cells.csv',
    'id,email\n1,n/a\n2,John Smith +49 170 1234567\n3,a@x.test\n4,-\n5,b@x.test; c@x.test\n6,\n',
    6,
    1,
    'email',
  ],
  ['several.csv', 'id;mail\n1;a@x.test, b@x.test\n2;c@x.test\n', 2, 1, 'mail'],
  ['names.csv', 'to\nAnn <a@x.test>\n"Lee, Bob" <b@x.test>\n', 2, 2, 'to'],
  ['commas.csv', 'id,name,email\n1,Lee, Ann,a@x.test\n2,Bob,b@x.test\n', 2, 2, 'email'],
  ['typos.csv', 'id,email\n1,a@gmail\n2,b@@x.test\n3,c@x.test\n', 3, 3, 'email'],
  ['two.csv', 'from,to\na@x.test,b@x.test\nc@x.test,d@x.test\n', 0, 0, null],
  ['none.csv', 'id,name\n1,Ann\n2,Bob\n', 0, 0, null],
  ['earlier.csv', 'email,rcpt_status,rcpt_email\na@x.test,valid,a@x.test\n', 1, 1, 'email'],
  ['bar.csv', 'id|email\n1|a@x.test\n', 1, 1, 'email'],
  ['old-mac.csv', 'id,email\r1,a@x.test\r2,b@x.test\r', 2, 2, 'email'],
];

test.each(FILES)('%s is one list for the pages and the command', async (name, content, count, addresses, column) => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  await compare(name, bytes, count, addresses, column);
});

test.each([
  [
    'plain.xlsx',
    [
      ['Name', 'E-Mail'],
      ['A', 'a@x.test'],
      ['B', 'n/a'],
    ],
    2,
    1,
    'E-Mail',
  ],
  [
    'titled.xlsx',
    [
      ['Customers of 2026'],
      [],
      ['Nr', 'Firma', 'Mail', 'Ort'],
      ['1', 'A', 'a@x.test', 'B'],
      ['2', 'C', 'b@x.test', 'D'],
    ],
    2,
    2,
    'Mail',
  ],
  [
    'seller.xlsx',
    [['Client', 'Courriel', 'Vendeur'], ...['a', 'b', 'c', 'd'].map((one) => [one, `${one}@x.test`, 'm@x.test'])],
    4,
    4,
    'Courriel',
  ],
])('the workbook %s too', async (name, sheet, count, addresses, column) => {
  await compare(name, await xlsxOf({ One: sheet }), count, addresses, column);
});

async function compare(
  name: string,
  bytes: Uint8Array,
  count: number,
  addresses: number,
  column: string | null,
): Promise<void> {
  const { scan, ...pages } = await inPages(new Blob([Uint8Array.from(bytes)]), name);
  expect(pages).toMatchObject(column === null ? { column } : { rows: count, addresses, column });
  await writeFile(join(folder, name), bytes);
  const { code, out } = await rcpt(new ScriptedService(), folder, [
    'verify',
    join(folder, name),
    '--dry-run',
    '--json',
    '-o',
    join(folder, 'out.csv'),
  ]);
  expect(code).toBe(column === null ? 2 : 0);
  if (column === null) return;
  const plan: unknown = out
    .split('\n')
    .map((line): unknown => (line === '' ? null : JSON.parse(line)))
    .find((event) => typeof event === 'object' && event !== null && 'distinct' in event);
  const { rows: inAll, duplicates, several, none, excluded } = pages;
  expect(plan).toMatchObject({
    column,
    rows: inAll,
    distinct: addresses,
    creditsAtMost: addresses,
    addresses: addresses + duplicates,
    unclear: several,
    none,
    excluded,
  });
  const service = new ScriptedService();
  service.says = said;
  const list = ['verify', join(folder, name), '-o', join(folder, 'verified.csv'), '--force'];
  const { err } = await rcpt(service, folder, list);
  const results = new Results(scan.addresses.length);
  for (const [number, email] of scan.addresses.entries())
    results.set(number, { result: resultOf(email, said(email)), asked: 1 });
  const { verdicts } = results.counts(scan);
  expect(err).toContain(`: ${[...verdicts].map(([status, counted]) => `${status} ${counted}`).join(', ')}.`);
}

/** Each third address is invalid. */
function said(email: string): Partial<OpenResult> {
  return (email.charCodeAt(0) + email.charCodeAt(1)) % 3 === 0 ? { status: 'invalid', score: 0 } : {};
}

async function inPages(file: Blob, name: string) {
  const table = await openFile(file, name, FOUND);
  const cells = [];
  for await (const batch of table.rows()) cells.push(...batch.map((row) => row.cells));
  const found = findAddressColumn(table.names, cells);
  const scan = new Scan(found.kind === 'found' ? found.column : 0, table.width);
  for (const row of cells) scan.add(row);
  const column =
    found.kind === 'found'
      ? table.hasHeader || table.names[0] === 'email'
        ? (table.names[found.column] ?? '')
        : 'email'
      : null;
  return { ...scan.totals, column, scan };
}
