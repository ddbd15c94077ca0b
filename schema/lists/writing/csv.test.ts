import { expect, test } from 'vitest';
import { csvLine, harmless } from './csv.ts';

test.each(['=1+1', '+1+cmd|x', '-2+3', '@SUM(A1)', '\tx', '\rx', '\nx', '=HYPERLINK("//evil.test")'])(
  'a spreadsheet does not run %j',
  (cell) => {
    expect(harmless(cell)).toBe(`'${cell}`);
  },
);

test.each(['-12.5', '+49', '-1,5', 'ann@a.test', 'a=b', ''])('%j stays as it is', (cell) => {
  expect(harmless(cell)).toBe(cell);
});

test('what would break a row is quoted', () => {
  expect(csvLine(['a;b', 'say "hi"', 'two\nlines', ' x', 'plain, cell'], ';', '\r\n')).toBe(
    '"a;b";"say ""hi""";"two\nlines";" x";plain, cell\r\n',
  );
});
