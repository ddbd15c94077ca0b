import { expect, test } from 'vitest';
import { csvLine, harmless } from './csv.ts';

test.each([
  '=1+1',
  '+1+cmd|x',
  '-2+3',
  '-2-3',
  '+49 30 1234+1',
  '-49 (0)30 1234',
  '+1(A1)',
  '+cmd|x',
  '-none',
  '--1',
  '+1\t2',
  '@SUM(A1)',
  '＝1+1',
  '＋SUM(A1)',
  '\tx',
  '\rx',
  '\nx',
  '=HYPERLINK("//evil.test")',
])('%j is guarded against formula injection', (cell) => {
  expect(harmless(cell)).toBe(`'${cell}`);
});

test.each([
  '-12.5',
  '+49',
  '-1,5',
  '-1.234.567,50 €',
  '- $1,200.00',
  '+4.9E-5',
  '-.5',
  '-12 %',
  '+49 30 1234',
  '+49-30-1234',
  '+49 (0)30/1234-56',
  '+1 (555) 010-0100 ext. 7',
  '+1.555.010.0100x12',
  '+22.11.2026',
  '-',
  '--',
  'ann@a.test',
  'a=b',
  '',
])('%j is left as it is', (cell) => {
  expect(harmless(cell)).toBe(cell);
});

test('special characters are quoted', () => {
  expect(csvLine(['a;b', 'say "hi"', 'two\nlines', ' x', 'plain, cell'], ';', '\r\n')).toBe(
    '"a;b";"say ""hi""";"two\nlines";" x";plain, cell\r\n',
  );
});
