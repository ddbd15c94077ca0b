import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKeyPair } from '../keys/key-pair.ts';
import { readOperatorKey } from './operator-key.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-operator-key-'));
});
afterAll(() => rm(folder, { recursive: true }));

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
