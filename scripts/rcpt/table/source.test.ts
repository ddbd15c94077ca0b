import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Source } from '../../../schema/lists/reading/source.ts';
import { pathSource, streamSource } from './source.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-source-'));
  path = join(folder, 'list');
});
afterEach(() => rm(folder, { recursive: true }));

const TEXT = 'email\nü@x.test\n';
const SIZE = Buffer.byteLength(TEXT);

async function expectText(source: Source, name: string): Promise<void> {
  expect([source.name, source.size]).toEqual([name, SIZE]);
  const parts = await Promise.all([source.read(0, 7), source.read(7, SIZE), source.read(SIZE, SIZE + 9)]);
  expect(Buffer.concat(parts).toString()).toBe(TEXT);
  expect(parts.map((part) => part.length)).toEqual([7, SIZE - 7, 0]);
}

test('a file, and a stream that was read into memory, can be read at any place', async () => {
  await writeFile(path, TEXT);
  await expectText(await pathSource(path), path);
  const bytes = Readable.from([Buffer.from(TEXT).subarray(0, 7), Buffer.from(TEXT).subarray(7)]);
  await expectText(await streamSource('standard input', bytes), 'standard input');
});

test('a pipe by its path comes only once', async () => {
  execFileSync('mkfifo', [path]);
  const [source] = await Promise.all([pathSource(path), writeFile(path, TEXT)]);
  await expectText(source, path);
});

const failing = (error: Error) =>
  streamSource(
    'input',
    new Readable({
      read: (): never => {
        throw error;
      },
    }),
  );

test("an unreadable file is named with the system's error, and a bug is thrown as it is", async () => {
  await expect(pathSource(path)).rejects.toMatchObject({ ending: 'input', message: `${path}: there is no such file.` });
  const inFolder = await pathSource(folder);
  await expect(inFolder.read(0, 1)).rejects.toMatchObject({ message: `${folder} is a folder: name a file in it.` });
  await writeFile(path, TEXT);
  const source = await pathSource(path);
  await rm(path);
  await expect(source.read(0, 1)).rejects.toMatchObject({
    ending: 'input',
    message: expect.stringContaining('no such'),
  });
  await expect(failing(Object.assign(new Error('x'), { code: 'EIO' }))).rejects.toThrow('input cannot be read (EIO).');
  const bug = new TypeError('x is undefined');
  await expect(failing(bug)).rejects.toThrow(bug);
});
