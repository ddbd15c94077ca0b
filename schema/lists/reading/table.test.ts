import { expect, test } from 'vitest';
import { sourceOf } from '../testing/source.ts';
import { openList } from './list.ts';
import { tableOf } from './table.ts';

const FOUND = { format: null, encoding: null, delimiter: null, sheet: null } as const;

async function read(text: string, hasHeader: boolean | null = null) {
  const table = await tableOf(await openList(sourceOf(text), { ...FOUND, rowsMax: Infinity }), hasHeader);
  const rows = [];
  for await (const batch of table.rows()) rows.push(...batch.map(({ cells }) => cells));
  return { hasHeader: table.hasHeader, names: table.names, rows };
}

const HEAD = 'Nr;Firma;Ort;Mail\n';
const DATA = '1;A;B;a@x.test\n2;C;D;\n3;E;F;c@x.test\n';

test.each([
  ['a title', 'Kundenliste\n'],
  ['a title, a date and a blank line', 'Kundenliste;;;\nStand:;28.11.2026;;\n;;;\n\n'],
  ['eight lines about a report', 'Report\n\nFiltered by:;All\nRun by\nAnn\nat\n12:00\nby hand\n\n'],
  ['nothing', ''],
])('below %s the header is found, with what stands above it', async (_name, above) => {
  const table = await tableOf(await openList(sourceOf(above + HEAD + DATA), { ...FOUND, rowsMax: Infinity }), null);
  expect([table.hasHeader, table.names]).toEqual([true, ['Nr', 'Firma', 'Ort', 'Mail']]);
  expect(table.above).toHaveLength(above.split('\n').filter((line) => /\w/.test(line)).length);
  const rows = [];
  for await (const batch of table.rows()) rows.push(...batch);
  expect(rows.map(({ cells }) => cells[0])).toEqual(['1', '2', '3']);
});

test.each([
  ['with few names', 'x;y\n1;a@x.test;b;c;d;e\n', ['x', 'y', '', '', '', '']],
  ['whose rows are mostly empty', 'id;a;b;c\n1;;;\n2;;;\n3;;;x@a.test\n', ['id', 'a', 'b', 'c']],
  ['of one column', 'Title\na@x.test\n', ['Title']],
])('the first row is the header of a list %s', async (_name, text, names) => {
  expect((await read(text)).names).toEqual(names);
});

test.each([
  [
    'titles as wide as the rows',
    'EXTF;700;16;Debitoren\nNr;Firma;Ort;E-Mail\n1;A;B;a@x.test\n',
    1,
    ['Nr', 'Firma', 'Ort', 'E-Mail'],
  ],
  [
    'groups',
    'Kunde;Kunde;Betreuer;Betreuer\nName;Email;Name;Phone\nA;a@x.test;S;1\n',
    1,
    ['Name', 'Email', 'Name', 'Phone'],
  ],
  [
    'another table with an address',
    'Topic,Host\nHello,s@us.test\n\nFirst,Last,Email,Time\nA,B,a@x.test,10:00\n',
    2,
    ['First', 'Last', 'Email', 'Time'],
  ],
  [
    'whose exporter is named',
    'Export by;s@us.test;\nName;Firma;E-Mail\nA;B;\nC;D;c@x.test\n',
    1,
    ['Name', 'Firma', 'E-Mail'],
  ],
])('below %s the header is the row that names the addresses', async (_name, text, above, names) => {
  const table = await tableOf(await openList(sourceOf(text), { ...FOUND, rowsMax: Infinity }), null);
  expect([table.above.length, table.names]).toEqual([above, names]);
});

test.each([
  ['names a column of addresses that have begun', 'A;a@x.test\nName;Email\nB;b@x.test\n'],
  ['stands below a list of other people', 'a@x.test;A\nb@x.test;B\nc@x.test;C\nName;Email\nD;d@x.test\n'],
  ['names none of its addresses', 'A;email;a@x.test\nB;;b@x.test\n'],
  ['has an address itself', 'A;a@x.test;email\nB;phone;b@x.test\n'],
])('a row that %s is no header', async (_name, text) => {
  expect(await read(text)).toMatchObject({ hasHeader: false, rows: { length: text.split('\n').length - 1 } });
});

test.each([
  ['named by its first row', 'id,email\n1,a@x.test\n', null, true, ['id', 'email'], [['1', 'a@x.test']]],
  ['without a header', '1,a@x.test\n', null, false, ['column_1', 'column_2'], [['1', 'a@x.test']]],
  ['without a header, of several addresses', 'a@x.test b@x.test\n', null, false, ['column_1'], [['a@x.test b@x.test']]],
  ['said to have none', 'id,email\n', false, false, ['column_1', 'column_2'], [['id', 'email']]],
  ['said to have one', 'a@x.test,b\n', true, true, ['a@x.test', 'b'], []],
  ['with nothing in it', '', null, false, [], []],
  [
    'with rows that are shorter and longer',
    'id,email\n1\n2,a@x.test,more\n',
    null,
    true,
    ['id', 'email', ''],
    [['1'], ['2', 'a@x.test', 'more']],
  ],
  ['of lines of JSON', '{"email":"a@x.test"}\n', null, true, ['email'], [['a@x.test']]],
])('a table %s has the right columns and rows', async (_name, text, wanted, hasHeader, names, rows) => {
  expect(await read(text, wanted)).toEqual({ hasHeader, names, rows });
});
