import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SHARED_RESOURCES } from '../schema/shares.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SECTION = /^## What accounts share$([\s\S]*?)^## /m;
const ROW = /^\| ([^|]+) \| [^|]+ \| [^|]+ \| ([^|]+) \|$/gm;
/** What is shared out is named by one of `SHARED_RESOURCES`: its constructor asks for it. */
const CLASSES = /\bnew (?:SharedRoom|FairShare|FairSemaphore)(?:<[^(]*>)?\(([^)]*)/g;

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'edge', 'prober'], { cwd: ROOT });
const sources = listed
  .toString()
  .trim()
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
const read = (file: string): Promise<string> => readFile(join(ROOT, file), 'utf8');

const [, section = ''] = SECTION.exec(await read('SECURITY.md')) ?? [];
const rows = [...section.matchAll(ROW)]
  .map(([, what = '', tests = '']) => ({ what, tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file) }))
  .filter(({ what }) => what !== 'what');

test('SECURITY.md has one row for each resource that accounts share', () => {
  expect(rows.map(({ what }) => what)).toEqual([...SHARED_RESOURCES]);
});

test.each(rows)('the tests that attack $what are there', async ({ tests }) => {
  expect(tests.length).toBeGreaterThan(0);
  for (const file of tests) expect(await read(file)).toMatch(/\b(?:test|it)\b/);
});

test('every resource of the list is shared out somewhere, and by its name', async () => {
  const texts = await Promise.all(sources.map(read));
  const all = texts.join('\n');
  for (const resource of SHARED_RESOURCES) expect(all).toContain(`'${resource}'`);
  const given = texts.flatMap((text) => [...text.matchAll(CLASSES)].map(([, first = '']) => first));
  for (const first of given) expect(first).toMatch(/^(?:resource|'(?:[a-z -]+)')/);
});
