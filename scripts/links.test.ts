import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)/g;

test('every link of every document leads to a file', () => {
  const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const links = documents
    .filter((file) => existsSync(join(ROOT, file)))
    .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(LINK)].map(([, to = '']) => ({ file, to })));
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter(({ file, to }) => !existsSync(join(ROOT, dirname(file), to)))).toEqual([]);
});
