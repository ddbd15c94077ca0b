import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'schema/README.md',
  'edge/README.md',
  'prober/README.md',
  'scripts/README.md',
];
/** A path in backticks, folder and file. */
const FILES = /`([a-z][a-z0-9._-]*\/[a-z0-9./_-]*\.(?:ts|md|toml))`/g;

async function exists(path: string): Promise<boolean> {
  return access(join(ROOT, path)).then(
    () => true,
    () => false,
  );
}

test.each(DOCUMENTS)('every file that %s names is there', async (document) => {
  const text = await readFile(join(ROOT, document), 'utf8').catch(() => '');
  const named = [...new Set([...text.matchAll(FILES)].map(([, path]) => path ?? ''))];
  const missing: string[] = [];
  for (const path of named)
    if (!(await exists(path)) && !(await exists(join(dirname(document), path)))) missing.push(path);
  expect(missing).toEqual([]);
});
