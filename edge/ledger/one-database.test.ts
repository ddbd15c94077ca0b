import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// What moves money sees one database. These others ask several, one after the other, and no transaction of theirs is about two.
const OF_SEVERAL = [
  'account.ts',
  'home-of.ts',
  'keys-elsewhere.ts',
  'move-account.ts',
  'move-rows.ts',
  'open-account.ts',
  'unfinished-move.ts',
];

const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
const text = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');

test.each(files.filter((file) => !OF_SEVERAL.includes(file)))('%s knows of no other database', (file) => {
  expect(text(file)).not.toMatch(/databases\.ts|\bHome\b|home-of|keys-elsewhere|open-account/);
  for (const [, parameters = ''] of text(file).matchAll(/function \w+(?:<[^>]*>)?\(([^)]*)\)/g))
    expect(parameters.match(/D1Database\b/g) ?? []).not.toHaveLength(2);
});

test('those that ask several are there, and hold, settle and sweep nothing themselves', () => {
  expect(files).toEqual(expect.arrayContaining(OF_SEVERAL));
  for (const file of OF_SEVERAL) expect(text(file)).not.toMatch(/'\.\/(?:hold|settle|sweep|give-back)[\w-]*\.ts'/);
});
