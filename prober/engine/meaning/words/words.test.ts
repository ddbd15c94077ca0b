import { describe, expect, test } from 'vitest';
import { CJK } from './cjk.ts';
import { ENGLISH } from './english.ts';
import { GERMANIC } from './germanic.ts';
import { NORTHERN } from './northern.ts';
import { OTHERS } from './others.ts';
import { fold } from './fold.ts';
import { ROMANCE } from './romance.ts';
import { SLAVIC } from './slavic.ts';
import type { WordTable } from './word-table.ts';

const TABLES: readonly WordTable[] = [ENGLISH, GERMANIC, NORTHERN, ROMANCE, SLAVIC, OTHERS, CJK];
const ENTRIES = TABLES.flatMap((table) =>
  Object.entries(table).flatMap(([stands, row]) =>
    row
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => ({ stands, word })),
  ),
);

describe('the words of all languages', () => {
  test('have one meaning each', () => {
    const known = new Map<string, string>();
    const torn = ENTRIES.filter(
      ({ stands, word }) => (known.get(word) ?? known.set(word, stands).get(word)) !== stands,
    );
    expect(torn).toEqual([]);
  });

  test('are spelled as replies are read, so that they can be found', () => {
    const western = ENTRIES.filter(({ word }) => !/[\u0e00-\u0e7f\u3040-\u9fff\uac00-\ud7af]/.test(word));
    expect(western.filter(({ word }) => fold(word) !== word)).toEqual([]);
    expect(western.filter(({ word }) => word.split('_').some((part) => !/^[a-zß-\u{10ffff}]+$/u.test(part)))).toEqual(
      [],
    );
  });

  test('form phrases of at most four words', () => {
    expect(ENTRIES.filter(({ word }) => word.split('_').length > 4)).toEqual([]);
  });
});
