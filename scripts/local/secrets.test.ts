import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { readSecrets } from './secrets.ts';

test('the secrets of a state folder stay the same, and those of an earlier version are refused with what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-secrets-'));
  try {
    const first = await readSecrets(folder);
    expect((await readSecrets(folder)).variables).toEqual(first.variables);
    const file = join(folder, 'secrets.json');
    const { version: _, ...earlier } = z.looseObject({}).parse(JSON.parse(await readFile(file, 'utf8')));
    await writeFile(file, JSON.stringify(earlier));
    await expect(readSecrets(folder)).rejects.toThrow('earlier version, which is not carried over: remove it, or name');
  } finally {
    await rm(folder, { recursive: true });
  }
});
