import { expect, it } from 'vitest';
import type { RowAnswer } from '../../../../schema/lists/columns/result-columns.ts';
import type { Row } from '../../../../schema/lists/reading/row.ts';
import { notAnAddress } from '../../../../schema/words/result.ts';
import { type FileWish, fileName, writeFile } from './write-file.ts';

it('names the file after the list', () => {
  expect(fileName('customers.2026.xlsx', 'verified', 'csv')).toBe('customers.2026-verified.csv');
  expect(fileName('customers', 'valid', 'xlsx')).toBe('customers-valid.xlsx');
  expect(fileName('customers.tsv', 'valid', 'tsv')).toBe('customers-valid.tsv');
});

const WISH: FileWish = { format: 'csv', isWanted: () => true };
const AROUND = {
  names: ['mail', 'phone', 'note'],
  style: { delimiter: ',', newline: '\n', hasMark: false },
  above: [],
} as const;
const LATER = { ...notAnAddress('ann@a.test'), status: 'unknown', reason: 'greylisting', retry_after: 300 } as const;

const row = (line: number, ...cells: string[]): Row => ({ line, cells, raw: null, kinds: null });

async function* rows(): AsyncGenerator<readonly [Row, RowAnswer | null], undefined> {
  yield [row(1, 'ann@a.test', '+49 30 1234', '=1+1'), { result: LATER, asked: 1 }];
  yield [row(2, 'bob@b.test', '', ''), 'not_asked_yet'];
  yield [row(3, 'x@a.test; y@a.test', '', ''), 'several_addresses'];
  yield [row(4, '', '', ''), null];
}

const written = async (wish: Partial<FileWish>): Promise<string> =>
  (await writeFile({ ...WISH, ...wish }, AROUND, rows())).text();

it("has the list's columns as they are, and ours", async () => {
  const [head, ...lines] = (await written({})).split('\r\n');
  expect(head).toMatch(/^mail,phone,note,rcpt_status,/);
  expect(lines[0]).toMatch(/^ann@a\.test,\+49 30 1234,=1\+1,unknown,/);
  expect(lines[2]).toMatch(/^x@a\.test; y@a\.test,,,,/);
  expect(lines).toHaveLength(5);
});

it('says why a row has no verdict', async () => {
  const text = await written({});
  expect(text).toMatch(/^bob@b\.test,.*,not_asked_yet,Not asked yet,/m);
  expect(text).toMatch(/y@a\.test,.*,several_addresses,Several addresses in one cell/);
});

it('has only the wanted rows', async () => {
  expect((await written({ isWanted: (status) => status === null })).match(/@/g)).toHaveLength(3);
  expect((await written({ isWanted: (status) => status === 'unknown' })).split('\r\n')).toHaveLength(3);
});

it('can be a workbook', async () => {
  const file = await writeFile({ ...WISH, format: 'xlsx' }, AROUND, rows());
  expect(file.type).toMatch(/spreadsheetml/);
  expect(await file.slice(0, 2).text()).toBe('PK');
});
