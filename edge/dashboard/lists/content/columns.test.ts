import { expect, it } from 'vitest';
import { columnName } from './columns.ts';

const name = (column: number) => columnName([], { column, hasHeader: false });

it('calls columns as spreadsheets do', () => {
  expect([0, 25, 26, 701, 702].map(name)).toEqual(['Column A', 'Column Z', 'Column AA', 'Column ZZ', 'Column AAA']);
  expect(columnName(['id', ' Mail '], { column: 1, hasHeader: true })).toBe('Mail (column B)');
});
