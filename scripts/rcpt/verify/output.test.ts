import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileOutput } from './output.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-output-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a run that gives up leaves the file alone that another has begun in its place meanwhile', async () => {
  const path = join(folder, 'out.csv');
  const asleep = await fileOutput(path);
  await asleep.write('old');
  const other = await fileOutput(path);
  await other.write('new');
  await asleep.abandon();
  await other.commit();
  expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['new', ['out.csv']]);
  const alone = await fileOutput(path);
  await alone.abandon();
  expect(await readdir(folder)).toEqual(['out.csv']);
});

const words = (why: string) => ({
  ending: 'output',
  message: expect.stringContaining(`cannot be written (${why}): check`),
});

test('a file that cannot be written says why, and leaves nothing behind', async () => {
  await expect(fileOutput(join(folder, 'none', 'out.csv'))).rejects.toMatchObject(words('ENOENT'));
  const inTheWay = join(folder, 'out.csv');
  const output = await fileOutput(inTheWay);
  await output.write('rows');
  await mkdir(join(inTheWay, 'full'), { recursive: true });
  await expect(output.commit()).rejects.toMatchObject(words('EISDIR'));
  await expect(output.write('more')).rejects.toMatchObject(words('EBADF'));
  expect(await readdir(folder)).toEqual(['out.csv']);
});
