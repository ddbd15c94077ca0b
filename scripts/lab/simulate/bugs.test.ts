import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { BUGS } from './bugs.ts';

test.each(Object.entries(BUGS))('the line that %s changes stands in its file once', async (_name, { file, from }) => {
  const text = await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8');
  expect(text.split(from)).toHaveLength(2);
});
