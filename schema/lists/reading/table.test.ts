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
