import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { type Lock, lock } from './lock.ts';

let folder: string;
let path: string;
let clock: ManualClock;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-lock-'));
  path = join(folder, 'journal.lock');
  clock = new ManualClock();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** As long as the disk takes, whatever was begun: its calls are answered in their order. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 25; turn += 1) await stat(folder);
}

/** Lets time pass until it is decided. */
async function passing<T>(what: Promise<T>): Promise<PromiseSettledResult<T>> {
  const over = Promise.allSettled([what]);
  for (;;) {
    const [result = null] = await Promise.race([over, settle().then(() => [])]);
    if (result !== null) return result;
    clock.advance(250);
  }
}

async function taken(): Promise<Lock> {
  const result = await passing(lock(path, clock));
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

const files = (): Promise<readonly string[]> => readdir(folder);

test('one process has it, however long it keeps it, and the next gets it when it is given back', async () => {
  const first = await taken();
  expect(await passing(lock(path, clock))).toMatchObject({ status: 'rejected', reason: { code: 'JOURNAL_IN_USE' } });
  for (let turn = 0; turn < 100; turn += 1) {
    clock.advance(1_000);
    await settle();
  }
  expect(await passing(lock(path, clock))).toMatchObject({ status: 'rejected' });
  await first.check();
  await first.release();
  expect(await files()).toEqual([]);
  await (await taken()).release();
});

test.each([
  ['as it was written', '6f1c8a52-7a54-4f43-9a63-2f3b9c1d0e55 17\n'],
  [
    'of an earlier version, with a process that is there again',
    `${process.pid} 6f1c8a52-7a54-4f43-9a63-2f3b9c1d0e55\n`,
  ],
  ['of an owner that was killed before it wrote', ''],
])('one that nobody writes any more, %s, goes to one of those who want it', async (_name, text) => {
  await writeFile(path, text);
  const tries = await Promise.all(Array.from({ length: 8 }, () => passing(lock(path, clock))));
  const locks = tries.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(locks).toHaveLength(1);
  for (const result of tries)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'JOURNAL_IN_USE' });
  await locks[0]?.check();
  await locks[0]?.release();
  expect(await files()).toEqual([]);
});

test('a process that died while it took one over blocks nobody', async () => {
  await writeFile(path, 'dead');
  await writeFile(`${path}.next`, 'dead too');
  const own = await taken();
  expect(await files()).toEqual(['journal.lock']);
  await own.release();
});

test('an owner that was asleep while another took over writes nothing more, and leaves the lock to the other', async () => {
  const sleeping = new ManualClock();
  const first = await lock(path, sleeping);
  await first.check();
  const second = await taken();
  const text = await readFile(path, 'utf8');
  sleeping.sleep(3_600_000);
  await expect(first.check()).rejects.toMatchObject({ code: 'JOURNAL_IN_USE' });
  sleeping.advance(1_000);
  await settle();
  await first.release();
  expect(await readFile(path, 'utf8')).toBe(text);
  await second.check();
  await second.release();
});

test('a clock on the wall that is set, forwards or back, takes no lock away', async () => {
  const own = await taken();
  clock.sleep(86_400_000);
  await own.check();
  clock.sleep(-172_800_000);
  await own.check();
  expect(await passing(lock(path, clock))).toMatchObject({ status: 'rejected' });
  await own.release();
});

test('one whose file was removed is held no more', async () => {
  const own = await taken();
  await rm(path);
  for (let turn = 0; turn < 4; turn += 1) {
    clock.advance(1_000);
    await settle();
  }
  await expect(own.check()).rejects.toMatchObject({ code: 'JOURNAL_IN_USE' });
  await own.release();
});
