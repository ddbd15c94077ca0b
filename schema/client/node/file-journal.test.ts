import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { resultOf } from '../testing/scripted-service.ts';
import { fileJournal } from './file-journal.ts';

const WRITER = join(import.meta.dirname, '../testing/journal-writer.ts');

let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-journal-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function newPath(): string {
  files += 1;
  return join(folder, `journal-${files}`);
}

const record = (index: number, email = `a${index}@x.test`) => ({ index, asked: 1, atMs: 1, result: resultOf(email) });

async function filled(count: number): Promise<string> {
  const path = newPath();
  const journal = fileJournal(path, 'list');
  await journal.open();
  await Promise.all(Array.from({ length: count }, (_, index) => journal.append(record(index))));
  await journal.close();
  return path;
}

/** A process that writes the journal, and what it has said so far. */
function write([command = '', ...args]: readonly string[]) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  return { child, out: () => said };
}

async function isKnown(path: string, indices: readonly number[]): Promise<readonly boolean[]> {
  const journal = fileJournal(path, 'list');
  await journal.open();
  const known = await Promise.all(indices.map((index) => journal.known(index)));
  await journal.close();
  return known.map((found) => found !== null);
}

test('records survive, the latest for each entry wins, and the file is readable by its owner alone', async () => {
  const path = await filled(3);
  const journal = fileJournal(path, 'list');
  expect([journal.has(1), await journal.check()]).toEqual([false, undefined]);
  await journal.open();
  await journal.append({ ...record(1, 'ü@x.test'), asked: 2 });
  await journal.close();
  await journal.open();
  expect([journal.has(1), journal.has(7)]).toEqual([true, false]);
  expect(await journal.known(0)).toEqual(record(0));
  expect(await journal.known(1)).toEqual({ ...record(1, 'ü@x.test'), asked: 2 });
  expect(await journal.known(7)).toBe(null);
  await journal.close();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).not.toContain(`${path.split('/').at(-1)}.lock`);
});

const request = (key: string, index: number) => ({
  key,
  atMs: 7,
  entries: [{ index, email: `ü${index}@x.test`, asked: 0 }],
});

test('a request stays open across processes until it ends, and the costs of ended requests are added up', async () => {
  const path = await filled(1);
  const journal = fileJournal(path, 'list');
  await journal.open();
  await Promise.all([journal.begin(request('a', 1)), journal.begin(request('b', 2))]);
  await journal.end('a', { charged: 3, returned: 1, unconfirmed: 0 });
  await journal.close();
  await journal.open();
  const spent = { charged: 3, returned: 1, unconfirmed: 0 };
  expect(await journal.requests()).toEqual({ open: [request('b', 2)], spent });
  await journal.end('b', { charged: 0, returned: 0, unconfirmed: 4 });
  await journal.close();
  await journal.open();
  expect(await journal.requests()).toEqual({ open: [], spent: { ...spent, unconfirmed: 4 } });
  expect(await journal.known(0)).toEqual(record(0));
  await journal.close();
});

test('a request whose line is torn or damaged is ignored', async () => {
  const path = newPath();
  const head = `${JSON.stringify({ rcpt: 'journal', version: 1, fingerprint: 'list' })}\n`;
  const line = JSON.stringify({ request: request('a', 1) });
  const damaged = [
    line.slice(0, -3),
    `${line.replace('"asked":0', '"asked":-1')}\n`,
    `${line.replace('"a"', '1')}\n`,
    '{"request":{"key":"a","atMs":1,"entries":[]}}\n',
    '{"ended":"a","charged":"3","returned":0,"unconfirmed":0}\n',
    '{"ended":7,"charged":3,"returned":0,"unconfirmed":0}\n',
    '',
  ];
  for (const end of damaged) {
    await writeFile(path, `${head}${JSON.stringify(record(0))}\n${end}`);
    const journal = fileJournal(path, 'list');
    await journal.open();
    expect(await journal.requests()).toEqual({ open: [], spent: { charged: 0, returned: 0, unconfirmed: 0 } });
    expect(await journal.known(0)).toEqual(record(0));
    await journal.close();
  }
});

test('a file truncated anywhere loses its last lines and nothing else', async () => {
  const path = await filled(3);
  const whole = await readFile(path);
  const ends = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1);
  for (let cut = whole.length; cut >= 0; cut -= 41) {
    await writeFile(path, whole.subarray(0, cut));
    const lines = ends.filter((end) => end <= cut).length;
    expect(await isKnown(path, [0, 1, 2])).toEqual([lines > 1, lines > 2, lines > 3]);
    // What is appended to it stands on a line of its own.
    const journal = fileJournal(path, 'list');
    await journal.open();
    await journal.append(record(9));
    await journal.close();
    expect(await isKnown(path, [9])).toEqual([true]);
  }
});

test('records of any length are read back whole', async () => {
  const path = newPath();
  const journal = fileJournal(path, 'list');
  await journal.open();
  const lengths = [0, 590, 600, 610, 620, 630, 640, 1_024, 7_700, 7_770, 8_192, 65_536, 131_072];
  const records = lengths.map((length, index) => ({
    ...record(index),
    result: resultOf('a@x.test', { did_you_mean: 'ü'.repeat(length / 2) }),
  }));
  expect(journal.isEmpty()).toBe(true);
  for (const one of records) await journal.append(one);
  expect(journal.isEmpty()).toBe(false);
  for (const one of records) expect(await journal.known(one.index)).toEqual(one);
  await journal.close();
});

test.each([
  ['a request that is open', '{"request":{"key":"a","atMs":1,"entries":[{"index":0,"email":"a","asked":0}]}}', false],
  ['credits that were spent', '{"ended":"a","charged":1,"returned":0,"unconfirmed":0}', false],
  ['credits that may have been spent', '{"ended":"a","charged":0,"returned":0,"unconfirmed":1}', false],
  ['a result', JSON.stringify(record(0)), false],
  ['a request that cost nothing', '{"ended":"a","charged":0,"returned":5,"unconfirmed":0}', true],
])('whether a journal with %s counts as empty', async (_what, line, isEmpty) => {
  const path = newPath();
  await writeFile(path, `${JSON.stringify({ rcpt: 'journal', version: 1, fingerprint: 'list' })}\n${line}\n`);
  const journal = fileJournal(path, 'list');
  await journal.open();
  expect(journal.isEmpty()).toBe(isEmpty);
  await journal.begin(request('k', 3));
  expect(journal.isEmpty()).toBe(false);
  await journal.end('k', { charged: 0, returned: 1, unconfirmed: 0 });
  expect(journal.isEmpty()).toBe(isEmpty);
  await journal.close();
});

test('a file larger than the read buffer is read whole', async () => {
  const path = await filled(7_000);
  expect((await stat(path)).size).toBeGreaterThan(2 * 1_048_576);
  const all = Array.from({ length: 7_000 }, (_, index) => index);
  expect(await isKnown(path, all)).not.toContain(false);
});

test('a journal of another list is refused and left unchanged', async () => {
  const path = await filled(1);
  await expect(fileJournal(path, 'other').open()).rejects.toMatchObject({ code: 'LIST_CHANGED' });
  expect(await isKnown(path, [0])).toEqual([true]);
  await expect(fileJournal(join(folder, 'no', 'folder'), 'list').open()).rejects.toMatchObject({
    code: 'JOURNAL_BROKEN',
  });
});

test.each([
  'my notes\nand more',
  'my notes, without a line end',
  '{"rcpt":"journey"',
  '{"version":1,"rcpt":"journal","of":"mine"}\n',
])('a file of somebody else, %j, is refused and keeps its content and its mode', async (text) => {
  const notes = newPath();
  await writeFile(notes, text, { mode: 0o644 });
  await expect(fileJournal(notes).open()).rejects.toMatchObject({ code: 'JOURNAL_BROKEN' });
  expect([await readFile(notes, 'utf8'), (await stat(notes)).mode & 0o777]).toEqual([text, 0o644]);
});

test('a second run with the same journal is refused', async () => {
  const path = newPath();
  const first = fileJournal(path, 'list');
  await first.open();
  await expect(fileJournal(path, 'list').open()).rejects.toMatchObject({ code: 'JOURNAL_IN_USE' });
  await first.close();
  expect(await isKnown(path, [])).toEqual([]);
});

const lockOf = (pid: number, host = hostname(), start = '-'): string =>
  `6f1c8a52-7a54-4f43-9a63-2f3b9c1d0e55 ${pid} ${start} ${host}\n`;

describe('the lock beside a journal', () => {
  /** More than any process has. */
  const NOBODY = 2 ** 31 - 1;
  const UNHEARD = new Date(Date.now() - 31_000);

  test.each([
    ['a process that is gone', lockOf(NOBODY), null],
    ['an earlier process with the number of this one', lockOf(process.pid), null],
    ['an earlier process with the number of one that runs', lockOf(process.ppid, hostname(), '1'), null],
    ['a machine not heard of for half a minute', lockOf(1, 'build-7'), 'another run, process 1 on build-7'],
    ['nobody knows whom, for half a minute', '', 'another run'],
  ])('of %s is taken over, by one run if several come at once', async (_name, text, takenFrom) => {
    const path = await filled(1);
    await writeFile(`${path}.lock`, text);
    await utimes(`${path}.lock`, UNHEARD, UNHEARD);
    const journals = Array.from({ length: 8 }, () => fileJournal(path, 'list'));
    await Promise.allSettled(journals.map((journal) => journal.open()));
    const writes = journals.map(async (journal) => (await journal.append(record(1)), journal.takenFrom()));
    const written = (await Promise.allSettled(writes)).filter((one) => one.status === 'fulfilled');
    expect(written.map(({ value }) => value)).toEqual([takenFrom]);
    await Promise.all(journals.map((journal) => journal.close()));
    expect(await isKnown(path, [0, 1])).toEqual([true, true]);
  });

  test.each([
    ['a process that runs', lockOf(process.ppid), `another run, process ${process.ppid} on ${hostname()}`],
    ['another machine', lockOf(NOBODY, 'build-7'), `another run, process ${NOBODY} on build-7`],
    ['an unknown owner', '', 'another run'],
  ])('of %s is respected, and the error names its owner and the remedy', async (_name, text, owner) => {
    const path = newPath();
    await writeFile(`${path}.lock`, text);
    const message = `The journal is in use by ${owner}. If that run has ended, try again in 30 seconds.`;
    await expect(fileJournal(path, 'list').open()).rejects.toMatchObject({ code: 'JOURNAL_IN_USE', message });
    expect(await readFile(`${path}.lock`, 'utf8')).toBe(text);
  });

  test('is renewed as long as its process runs, so that other machines see that it does', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    try {
      const path = newPath();
      const journal = fileJournal(path, 'list');
      await journal.open();
      const text = await readFile(`${path}.lock`, 'utf8');
      await utimes(`${path}.lock`, UNHEARD, UNHEARD);
      vi.advanceTimersByTime(5_000);
      await expect.poll(async () => (await stat(`${path}.lock`)).mtimeMs).toBeGreaterThan(UNHEARD.getTime());
      expect(await readFile(`${path}.lock`, 'utf8')).toBe(text);
      await rm(`${path}.lock`);
      await writeFile(`${path}.lock`, lockOf(1, 'build-7'));
      vi.advanceTimersByTime(5_000);
      await expect(journal.append(record(1))).rejects.toMatchObject({ code: 'JOURNAL_IN_USE' });
      await journal.close();
      expect(await readFile(`${path}.lock`, 'utf8')).toBe(lockOf(1, 'build-7'));
    } finally {
      vi.useRealTimers();
    }
  });
});

test('a run that has lost its journal to another one writes nothing and truncates nothing', async () => {
  const path = await filled(1);
  const sleeper = fileJournal(path, 'list');
  await sleeper.open();
  await rm(`${path}.lock`);
  const other = fileJournal(path, 'list');
  await other.open();
  await other.append(record(1));
  await expect(sleeper.check()).rejects.toMatchObject({ code: 'JOURNAL_IN_USE' });
  await expect(sleeper.append(record(2))).rejects.toMatchObject({ code: 'JOURNAL_IN_USE' });
  await sleeper.close();
  await other.append(record(3));
  await other.close();
  expect(await isKnown(path, [0, 1, 2, 3])).toEqual([true, true, false, true]);
});

describe('a process', () => {
  test('that is killed loses no acknowledged record', async () => {
    const path = newPath();
    const { child, out } = write([process.execPath, WRITER, path]);
    while (out().length < 500) await new Promise((wake) => child.stdout.once('data', wake));
    child.kill('SIGKILL');
    await new Promise((ended) => child.once('close', ended));
    const survived = out().trim().split('\n').map(Number);
    expect(survived.length).toBeGreaterThan(100);
    expect(await isKnown(path, survived)).not.toContain(false);
  });

  test('on a full disk gets JOURNAL_BROKEN, and the journal holds each acknowledged record', async () => {
    const path = newPath();
    const { child, out } = write(['bash', '-c', 'ulimit -f 64; exec "$@"', 'bash', process.execPath, WRITER, path]);
    await new Promise((ended) => child.once('close', ended));
    const lines = out().trim().split('\n');
    expect(lines.pop()).toBe('JOURNAL_BROKEN');
    expect(lines.length).toBeGreaterThan(50);
    expect(await isKnown(path, lines.map(Number))).not.toContain(false);
  });
});
