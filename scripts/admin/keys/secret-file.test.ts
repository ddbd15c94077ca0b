import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKeyPair } from './key-pair.ts';
import { readOperatorKey } from '../connection/operator-key.ts';
import { reserveSecretFile } from './secret-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-secret-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a secret file', () => {
  test('is for its owner alone', async () => {
    const path = join(folder, 'deep', 'new', 'key.json');
    const file = await reserveSecretFile(path);
    await file.write('secret');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toBe('secret');
  });

  test('is never overwritten', async () => {
    const path = join(folder, 'kept.json');
    await writeFile(path, 'old');
    await expect(reserveSecretFile(path)).rejects.toThrow(
      `${path} exists and is never overwritten: name another file with --out`,
    );
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  test('that is abandoned leaves nothing', async () => {
    const path = join(folder, 'abandoned.json');
    const file = await reserveSecretFile(path);
    await file.abandon();
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });
});

async function write(name: string, text: string, mode = 0o600): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

describe('readOperatorKey', () => {
  test('reads name and private key', async () => {
    const key = { name: 'ann', privateKey: await newKeyPair() };
    expect(await readOperatorKey(await write('good.json', JSON.stringify(key)))).toEqual(key);
  });

  test.each([0o640, 0o604, 0o660, 0o601])('refuses a file that others may use (%o)', async (mode) => {
    const path = await write(`open-${mode}.json`, '{}', mode);
    await expect(readOperatorKey(path)).rejects.toThrow(`run chmod 600 ${path}`);
  });

  test.each([
    ['no JSON', 'x'],
    ['no key', '{"name":"ann"}'],
    ['a public key', '{"name":"ann","privateKey":{"kty":"OKP","crv":"Ed25519","x":"x"}}'],
    ['something huge', 'x'.repeat(70_000)],
  ])('refuses %s and quotes nothing of it', async (what, text) => {
    const path = await write(`${what}.json`, text);
    await expect(readOperatorKey(path)).rejects.toThrow(/ is not an? (?:operator )?key/);
  });
});
