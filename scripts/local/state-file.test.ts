import { chmod, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { readStateFile, writeStateFile } from './state-file.ts';

const schema = z.object({ secret: z.string() });

async function emptyFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'rcpt-state-'));
}

test('a written file can be read back, by its owner alone', async () => {
  const path = join(await emptyFolder(), 'hosts', 'one.json');
  await writeStateFile(path, { secret: 'first' });
  await writeStateFile(path, { secret: 'second' });
  expect(await readStateFile(path, schema)).toEqual({ secret: 'second' });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(path, '..'))).toEqual(['one.json']);
});

test('a file that others could read is closed when it is written anew', async () => {
  const path = join(await emptyFolder(), 'one.json');
  await writeFile(path, '{}');
  await chmod(path, 0o644);
  await writeStateFile(path, { secret: 'x' });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test.each(['', '{"secret":', '{}', '[]', '{"secret":1}'])('a damaged file says so: %s', async (text) => {
  const path = join(await emptyFolder(), 'one.json');
  await writeFile(path, text);
  await expect(readStateFile(path, schema)).rejects.toThrow(`${path} is damaged`);
});
