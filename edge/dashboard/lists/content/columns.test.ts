import { describe, expect, it } from 'vitest';
import { columnName, findColumn } from './columns.ts';

describe('findColumn', () => {
  it('finds the column and whether the first row names it', () => {
    const rows = [
      ['Contact', 'Id'],
      ['ann@a.test', '1'],
      ['bob@b.test', '2'],
    ];
    expect(findColumn(rows)).toEqual({ choice: { column: 0, hasHeader: true }, rivals: [] });
    expect(findColumn(rows.slice(1))).toEqual({ choice: { column: 0, hasHeader: false }, rivals: [] });
  });

  it('leaves the choice to the reader if addresses stand in several columns', () => {
    const rows = [
      ['seller', 'buyer'],
      ['rep@us.test', 'ann@a.test'],
    ];
    expect(findColumn(rows)).toEqual({ choice: { column: 0, hasHeader: true }, rivals: [0, 1] });
  });

  it('takes the likeliest column, or the first, where hardly any cell is an address', () => {
    const rows = [['id', 'mostly broken'], ['1', 'ann@a.test'], ...Array.from({ length: 5 }, () => ['2', 'x'])];
    expect(findColumn(rows).choice).toEqual({ column: 1, hasHeader: true });
    expect(findColumn([['a'], ['1']]).choice).toEqual({ column: 0, hasHeader: true });
    expect(findColumn([]).choice).toEqual({ column: 0, hasHeader: true });
  });
});

const name = (column: number) => columnName([], { column, hasHeader: false });

it('calls columns as spreadsheets do', () => {
  expect([0, 25, 26, 701, 702].map(name)).toEqual(['Column A', 'Column Z', 'Column AA', 'Column ZZ', 'Column AAA']);
  expect(columnName(['id', ' Mail '], { column: 1, hasHeader: true })).toBe('Mail (column B)');
});
