import { describe, expect, it } from 'vitest';
import { csvOf, FORMULA } from './csv.ts';

describe('csvOf', () => {
  it.each(['=1+1', '+1+cmd|x', '-2+3', '@SUM(A1)', '\tx', '\rx', '=HYPERLINK("//evil.test")'])('disarms %j', (cell) => {
    expect(csvOf([[cell]], ',')).toMatch(/^"?'/);
  });

  it.each(['-12.5', '+49', '-1,5', 'ann@a.test', 'a=b', ''])('leaves %j as it is', (cell) => {
    expect(FORMULA.test(cell)).toBe(false);
  });

  it('quotes what would break a row, and ends each with CRLF', () => {
    expect(csvOf([['a;b', 'say "hi"', 'two\nlines'], ['c']], ';')).toBe('"a;b";"say ""hi""";"two\nlines"\r\nc\r\n');
  });
});
