import { describe, expect, it } from 'vitest';
import { columnName, findColumn } from './columns.ts';

describe('findColumn', () => {
  it('goes by what stands in a column', () => {
    const rows = [
      ['Contact', 'Id'],
      ['ann@a.test', '1'],
      ['bob@b.test', '2'],
    ];
    expect(findColumn(rows)).toEqual({ column: 0, hasHeader: true });
  });

  it('knows a file without a heading', () => {
    expect(
      findColumn([
        ['1', 'ann@a.test'],
        ['2', 'broken'],
      ]),
    ).toEqual({ column: 1, hasHeader: false });
  });

  it('lets the name decide between two columns with addresses', () => {
    const rows = [
      ['sold by', 'E-Mail'],
      ['rep@us.test', 'ann@a.test'],
      ['rep@us.test', 'bob@b.test'],
    ];
    expect(findColumn(rows)?.column).toBe(1);
  });

  it('does not let a name win over a column full of addresses', () => {
    const rows = [['email opt-in', 'contact'], ...Array.from({ length: 20 }, (_, n) => ['yes', `user${n}@a.test`])];
    expect(findColumn(rows)?.column).toBe(1);
  });

  it('finds nothing where there is nothing', () => {
    expect(findColumn([])).toBeNull();
    expect(
      findColumn([
        ['a', 'b'],
        ['1', '2'],
      ]),
    ).toBeNull();
  });
});

const name = (column: number) => columnName([], { column, hasHeader: false });

it('calls columns as spreadsheets do', () => {
  expect([0, 25, 26, 701, 702].map(name)).toEqual(['Column A', 'Column Z', 'Column AA', 'Column ZZ', 'Column AAA']);
  expect(columnName(['id', ' Mail '], { column: 1, hasHeader: true })).toBe('Mail (column B)');
});
