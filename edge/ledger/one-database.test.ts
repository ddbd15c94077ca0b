import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// What moves money sees one database. These others ask several, one after the other, and no transaction of theirs is about two.
const OF_SEVERAL = [
  'account.ts',
  'home-of.ts',
  'keys-elsewhere.ts',
  'live-twice.ts',
  'move-account.ts',
  'move-rows.ts',
  'open-account.ts',
  'unfinished-move.ts',
];

const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
const text = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');

/** A way to a second database: through one of those others, or as a list of them, or beside the first one in a signature or a type. */
function waysToAnother(source: string): readonly string[] {
  const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, from = '']) => from);
  const several = source.match(/D1Database(?:\[\]|>\[\])|(?:Array|Set|Iterable)<D1Database|\bHome\b/g) ?? [];
  const declarations = source.split(/\n(?=export |async |function |type |const )/);
  return [
    ...imported.filter((from) => from.endsWith('/databases.ts') || OF_SEVERAL.some((file) => from === `./${file}`)),
    ...several,
    ...declarations.filter((one) => [...one.matchAll(/: D1Database\b/g)].length > 1),
  ];
}

test.each(files.filter((file) => !OF_SEVERAL.includes(file)))('%s knows of no other database', (file) => {
  expect(waysToAnother(text(file))).toEqual([]);
});

test.each([
  `import { databasesOf } from '../base/databases.ts';`,
  `import { endFreeze } from './unfinished-move.ts';`,
  `import { countRows } from './move-rows.ts';`,
  'export async function hold(db: D1Database, other: D1Database): Promise<void> {}',
  'const hold = async (\n  db: D1Database,\n  [a, b, c]: readonly D1Database[],\n): Promise<void> => {}',
  'type Request = {\n  readonly here: D1Database;\n  readonly there: D1Database;\n};',
  'export function settle({ db, all }: Home): void {}',
])('a settlement with %j would be found', (line) => {
  expect(waysToAnother(`${text('settle.ts')}\n${line}\n`)).not.toEqual([]);
});

test('those that ask several are there, and hold, settle and sweep nothing themselves', () => {
  expect(files).toEqual(expect.arrayContaining(OF_SEVERAL));
  for (const file of OF_SEVERAL) expect(text(file)).not.toMatch(/'\.\/(?:hold|settle|sweep|give-back)[\w-]*\.ts'/);
});
