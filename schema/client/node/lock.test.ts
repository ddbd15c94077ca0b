import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lock } from './lock.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-lock-'));
  path = join(folder, 'journal.lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const IN_USE = { code: 'JOURNAL_IN_USE' };
/** More than any process has. */
const NOBODY = 2 ** 31 - 1;
const lockOf = (pid: number, host = hostname()): string => `6f1c8a52-7a54-4f43-9a63-2f3b9c1d0e55 ${pid} ${host}\n`;

test('a lock has one owner, and is free again after its release', async () => {
  const first = await lock(path);
  await expect(lock(path)).rejects.toMatchObject(IN_USE);
  await first.check();
  await first.release();
  expect(await readdir(folder)).toEqual([]);
  await (await lock(path)).release();
});

test.each([
  ['a process that is gone', lockOf(NOBODY)],
  ['an earlier process with the number of this one', lockOf(process.pid)],
])('a lock of %s is taken over', async (_name, text) => {
  await writeFile(path, text);
  const own = await lock(path);
  await own.check();
  await own.release();
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  [
    'a process that runs',
    lockOf(process.ppid),
    `process ${process.ppid} on ${hostname()}, which keeps PATH. If no run`,
  ],
  [
    'another machine',
    lockOf(NOBODY, 'build-7'),
    `process ${NOBODY} on build-7, which keeps PATH. .* seen on build-7: if`,
  ],
  ['an unknown owner', '', 'another run, which keeps PATH. If no run uses it, delete that file'],
])('a lock of %s is respected, and the error names its owner and the remedy', async (_name, text, words) => {
  await writeFile(path, text);
  const message = expect.stringMatching(words.replace('PATH', path));
  await expect(lock(path)).rejects.toMatchObject({ ...IN_USE, message });
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('of several runs that take over a lock at once, one gets it', async () => {
  await writeFile(path, lockOf(NOBODY));
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lock(path)));
  const locks = tries.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const checks = await Promise.allSettled(locks.map((each) => each.check()));
  expect(checks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a run that has lost its lock notices, and leaves the new owner’s lock alone', async () => {
  const first = await lock(path);
  await rm(path);
  const second = await lock(path);
  await expect(first.check()).rejects.toMatchObject(IN_USE);
  await first.release();
  await second.check();
  await second.release();
});
