import { access, readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { conformanceTable, ELSEWHERE, readClaims } from './testing/table.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const TABLE = /(?<=<!-- claims -->\n\n).*(?=\n\n<!-- end of claims -->)/s;

it('the README has every sentence of the interface with its test', async () => {
  const files = (await readdir(here('.'))).filter((file) => file.endsWith('.test.ts'));
  const claims = await Promise.all(files.map(async (file) => readClaims(file, await readFile(here(file), 'utf8'))));
  const names = claims.flat().map(({ section, sentence }) => `${section}: ${sentence}`);
  expect(new Set(names).size).toBe(names.length);
  const readme = await readFile(here('README.md'), 'utf8');
  // After a change: npx vitest run --project unit scripts/conformance/table -u
  await expect(readme.replace(TABLE, () => conformanceTable(claims.flat()))).toMatchFileSnapshot('README.md');
});

it('what HTTP cannot show is shown by a file that is there', async () => {
  for (const [, , where] of ELSEWHERE) await access(here(`../../${where}`));
});
