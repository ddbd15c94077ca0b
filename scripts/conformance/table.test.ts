import { access, readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { describeApi } from '../../schema/openapi/document.ts';
import { TERMS } from '../../schema/testing/openapi/terms.ts';
import { FIELDS } from '../../schema/words/fields.ts';
import { namesOf } from '../../schema/words/open.ts';
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

it('every call of the API, and every field of a result, is in a test', async () => {
  const files = (await readdir(here('.'))).filter((file) => file.endsWith('.test.ts') && file !== 'table.test.ts');
  const texts = await Promise.all(files.map((file) => readFile(here(file), 'utf8')));
  const { paths } = z.object({ paths: z.record(z.string(), z.unknown()) }).parse(describeApi(TERMS));
  expect(Object.keys(paths).filter((path) => !texts.some((text) => text.includes(`'${path}'`)))).toEqual([]);
  const sentences = texts.flatMap((text) => readClaims('', text)).map(({ sentence }) => sentence);
  const isTold = (field: string): boolean => sentences.some((sentence) => sentence.includes(`\`${field}\``));
  expect(namesOf(FIELDS).filter((field) => !isTold(field))).toEqual([]);
});

it('what HTTP cannot show is shown by a file that is there', async () => {
  for (const [, , where] of ELSEWHERE) await access(here(`../../${where}`));
});
