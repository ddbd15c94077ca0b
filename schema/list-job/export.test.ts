import { expect, test } from 'vitest';
import { resultOf } from '../client/testing/scripted-service.ts';
import { appendedTo, replacedIn } from '../lists/columns/result-columns.ts';
import { openList } from '../lists/reading/list.ts';
import { tableOf } from '../lists/reading/table.ts';
import { sourceOf } from '../lists/testing/source.ts';
import type { OutputFormat } from '../lists/writing/list-writer.ts';
import type { OpenResult } from '../words/result.ts';
import { exportList } from './export.ts';
import { KEEP_ALL, type Keep, unwantedIn } from './keep.ts';
import { scanTable } from './scan-table.ts';

const READING = { format: null, encoding: null, delimiter: null, sheet: null, rowsMax: 99 };
const tableIn = async (text: string) => tableOf(await openList(sourceOf(text), READING), null);

const LIST =
  'id,mail\n1,ok@x.test\n2,role@x.test\n3,gone@x.test\n4,later@x.test\n5,shop@x.test\n6,n/a\n7,\n8,OK@x.test\n9,new@x.test\n0,"a@x.test, b@x.test"\n';
const SAID: Readonly<Record<string, Partial<OpenResult>>> = {
  'ok@x.test': {},
  'role@x.test': { status: 'risky', score: 75, role_based: true },
  'gone@x.test': { status: 'invalid', score: 0 },
  'later@x.test': { status: 'unknown', score: 50 },
  'shop@x.test': { status: 'risky', score: 15, disposable: true },
};

/** What a file has of a list with these results. */
async function exported(keep: Partial<Keep>, format: OutputFormat = 'csv', text = LIST): Promise<string> {
  const table = await tableIn(text);
  const earlier = replacedIn(table.names);
  const scan = await scanTable(table, table.names.indexOf('mail'), () => earlier === null);
  const form = { format, style: table.style, layout: earlier ?? appendedTo(table.names), above: table.above };
  const known = (number: number) => {
    const email = scan.addresses[number] ?? '';
    const said = SAID[email];
    return said === undefined ? null : { result: resultOf(email, said), asked: 1 };
  };
  let file = '';
  const sink = async (piece: string | Uint8Array) => void (file += String(piece));
  await exportList({ table, scan, form, keep: { ...KEEP_ALL, ...keep }, resultOf: known }, sink);
  return file;
}

const idsIn = (file: string) => [...file.matchAll(/^(\d)[,\t]/gm)].map(([, id]) => Number(id));
const words = (...kept: readonly string[]) => ({ words: new Set(kept) });

test.each<[Partial<Keep>, readonly number[]]>([
  [{}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]],
  [words('valid'), [1, 8]],
  [words('valid', 'risky'), [1, 2, 5, 8]],
  [words('invalid', 'unknown'), [3, 4]],
  [words('no_address'), [6, 7, 0]],
  [words('not_asked'), [9]],
  [{ scoreLeast: 75 }, [1, 2, 8]],
  [{ hasRole: false }, [1, 3, 4, 5, 6, 7, 8, 9, 0]],
  [{ hasDisposable: false, ...words('valid', 'risky') }, [1, 2, 8]],
  [{ notIn: new Set(['ok@x.test', 'gone@x.test']) }, [2, 4, 5, 6, 7, 9, 0]],
  [{ notIn: new Set(['b@x.test']), ...words('no_address') }, [6, 7]],
  [{ notIn: new Set(['new@x.test']), scoreLeast: 1, hasRole: false, hasDisposable: false }, [1, 4, 8]],
])('of the rows %j keeps %j, and the same ones of a file that was written before', async (keep, ids) => {
  const all = await exported({});
  expect(idsIn(all)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 0]);
  for (const format of ['csv', 'tsv'] as const) expect(idsIn(await exported(keep, format))).toEqual(ids);
  expect(idsIn(await exported(keep, 'csv', all))).toEqual(ids);
});

test('a file has the cells of the list as they are, ours behind them, and why a row has no verdict', async () => {
  const [head, first, ...rows] = (await exported({})).split('\n');
  expect(head).toMatch(/^id,mail,rcpt_status,rcpt_score,/);
  expect(first).toMatch(/^1,ok@x\.test,valid,95,/);
  expect(rows.filter((row) => /no_address|not_asked_yet/.test(row)).map((row) => row.slice(0, 5))).toEqual([
    '6,n/a',
    '9,new',
  ]);
  expect(await exported({}, 'xlsx')).toMatch(/^80,75,/);
});

test.each([
  ['cut off', LIST.replace(/0,.*\n/, '')],
  ['gone on with', `${LIST}10,more@x.test\n`],
  ['changed', LIST.replace('gone@', 'went@')],
])('a list that is %s meanwhile is refused', async (_how, later) => {
  const [table, scan] = [await tableIn(later), await scanTable(await tableIn(LIST), 1)];
  const form = { format: 'csv', style: table.style, layout: appendedTo(table.names), above: [] } as const;
  const job = { table, scan, form, keep: KEEP_ALL, resultOf: () => null };
  await expect(exportList(job, async () => {})).rejects.toMatchObject({ problem: 'changed' });
});

test.each([
  ['a@x.test\nB@x.test\n', ['a@x.test', 'b@x.test']],
  ['Email;Reason\nAnn <a@x.test>;left\n"b@x.test, c@x.test";\nn/a;x\n', ['a@x.test', 'b@x.test', 'c@x.test']],
  ['{"email":"a@x.test"}\n{"email":"a\u200B@x.test."}\n', ['a@x.test']],
  ['mailto:a@x.test\n(b@x.test)\n', ['a@x.test', 'b@x.test']],
])('a list of unwanted addresses is read as any list, with all of them in a cell: %j', async (text, unwanted) => {
  expect([...(await unwantedIn(await tableIn(text)))]).toEqual(unwanted);
});

test.each([
  ['one,other\na@x.test,b@x.test\n', 'several columns of addresses: keep the one'],
  ['id,name\n1,Ann\n', 'no column of addresses.'],
  [`id,owner\n${'1,m@x.test\n'.repeat(5)}`, 'same one in most rows: if it is meant'],
])('nobody guesses which column has the unwanted ones: %j', async (text, why) => {
  await expect(tableIn(text).then(unwantedIn)).rejects.toThrow(why);
});
