import { IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { JournalRecord } from '../journal/journal.ts';
import { resultOf } from '../testing/scripted-service.ts';
import { indexedDbJournal } from './indexed-db-journal.ts';

// A database in memory that keeps to the standard, and Node's own Web Locks.

let databases = new IDBFactory();
/** Of this test's journal: a lock that a test leaves behind is in nobody's way. */
let name = '';
let lists = 0;
beforeEach(() => {
  lists += 1;
  name = `list ${lists}`;
  databases = new IDBFactory();
  vi.stubGlobal('indexedDB', databases);
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const record = (index: number, email = `a${index}@x.test`): JournalRecord => ({
  index,
  asked: 1,
  atMs: 1,
  result: resultOf(email),
});

/** Resolves when this has happened to a request or a transaction. */
function happens(to: { addEventListener: (type: string, run: () => void) => void }, what: string): Promise<void> {
  return new Promise((done) => to.addEventListener(what, () => done()));
}

async function fill(indices: Iterable<number>): Promise<void> {
  const journal = indexedDbJournal(name);
  await journal.open();
  await Promise.all(Array.from(indices, (index) => journal.append(record(index))));
  await journal.close();
}

/** The places that the next run knows, of the first `count`. */
async function knownOf(count: number): Promise<readonly number[]> {
  const journal = indexedDbJournal(name);
  await journal.open();
  const known: number[] = [];
  for (let index = 0; index < count; index += 1) if ((await journal.known(index)) !== null) known.push(index);
  await journal.close();
  return known;
}

test('records survive, far apart too, and the latest for each entry wins', async () => {
  await fill([0, 1, 999, 1_000, 2_500]);
  expect(await knownOf(3_000)).toEqual([0, 1, 999, 1_000, 2_500]);
  const journal = indexedDbJournal(name);
  await journal.open();
  expect(await journal.known(1)).toEqual(record(1));
  await journal.append({ ...record(1, 'ü@x.test'), asked: 2 });
  expect(await journal.known(1)).toEqual({ ...record(1, 'ü@x.test'), asked: 2 });
  expect(await journal.known(2)).toBe(null);
  await journal.close();
});

test('a record older than a field has null in its place', async () => {
  const { did_you_mean: _newer, ...older } = resultOf('a0@x.test');
  const journal = indexedDbJournal(name);
  await journal.open();
  await journal.append(JSON.parse(JSON.stringify({ ...record(0), result: older })));
  expect(await journal.known(0)).toEqual(record(0));
  await journal.close();
});

test('what is appended while places are read ahead is known afterwards', async () => {
  const journal = indexedDbJournal(name);
  await journal.open();
  for (let ticks = 0; ticks < 20; ticks += 1) {
    const from = ticks * 10_000;
    const reading = journal.known(from);
    for (let tick = 0; tick < ticks; tick += 1) await new Promise((next) => setImmediate(next));
    await Promise.all([reading, journal.append(record(from + 7))]);
    expect((await journal.known(from + 7))?.index).toBe(from + 7);
  }
  await journal.close();
});

const requestOf = (key: string) => ({ key, atMs: 7, entries: [{ index: 1, email: 'a1@x.test', asked: 0 }] });

test('a request stays open across tabs until it ends, and the costs of ended requests are added up', async () => {
  const journal = indexedDbJournal(name);
  await journal.open();
  await Promise.all([journal.begin(requestOf('a')), journal.begin(requestOf('b'))]);
  await journal.end('a', { charged: 3, returned: 1, unconfirmed: 0 });
  await journal.close();
  await journal.open();
  expect(await journal.requests()).toEqual({
    open: [requestOf('b')],
    spent: { charged: 3, returned: 1, unconfirmed: 0 },
  });
  await Promise.all([
    journal.end('b', { charged: 1, returned: 0, unconfirmed: 4 }),
    journal.end('c', { charged: 5, returned: 0, unconfirmed: 0 }),
  ]);
  expect(await journal.requests()).toEqual({ open: [], spent: { charged: 9, returned: 1, unconfirmed: 4 } });
  await journal.close();
});

test('released() resolves when the run has closed the journal', async () => {
  const journal = indexedDbJournal(name);
  await journal.open();
  expect(await indexedDbJournal(name).isInUse()).toBe(true);
  const seen: string[] = [];
  const released = indexedDbJournal(name)
    .released()
    .then(() => seen.push('released'));
  seen.push('used');
  await journal.append(record(0));
  seen.push('closed');
  await journal.close();
  await released;
  expect(seen).toEqual(['used', 'closed', 'released']);
  expect(await indexedDbJournal(name).isInUse()).toBe(false);
});

test('a second run, and a deletion, are refused until the first run has ended', async () => {
  const first = indexedDbJournal(name);
  await first.open();
  await expect(indexedDbJournal(name).open()).rejects.toMatchObject({ code: 'JOURNAL_IN_USE' });
  await expect(indexedDbJournal(name).delete()).rejects.toMatchObject({ code: 'JOURNAL_IN_USE' });
  const other = indexedDbJournal('another list');
  await other.open();
  await other.close();
  await first.append(record(0));
  await first.close();
  expect(await knownOf(1)).toEqual([0]);
});

test('a deleted journal is gone, and its name can be reused', async () => {
  await fill([0]);
  await indexedDbJournal(name).delete();
  expect(await databases.databases()).toEqual([]);
  await indexedDbJournal(name).delete();
  await fill([1]);
  expect(await knownOf(2)).toEqual([1]);
});

describe('a journal that cannot be used', () => {
  test('because the site’s data was cleared fails at the next record and releases its lock', async () => {
    const journal = indexedDbJournal(name);
    await journal.open();
    await journal.append(record(0));
    await happens(databases.deleteDatabase(`rcpt-journal:${name}`), 'success');
    await expect(journal.append(record(1))).rejects.toMatchObject({ code: 'JOURNAL_BROKEN' });
    await expect(journal.append(record(2))).rejects.toMatchObject({ code: 'JOURNAL_BROKEN' });
    await journal.close();
    expect(await knownOf(3)).toEqual([]);
  });

  test('because a newer version made it is refused and left unchanged', async () => {
    const newer = databases.open(`rcpt-journal:${name}`, 3);
    await happens(newer, 'success');
    newer.result.close();
    for (let turn = 0; turn < 2; turn += 1)
      await expect(indexedDbJournal(name).open()).rejects.toMatchObject({ code: 'JOURNAL_BROKEN' });
  });

  test('because the page has no Web Locks says that it needs HTTPS', async () => {
    vi.stubGlobal('navigator', {});
    await expect(indexedDbJournal(name).open()).rejects.toThrow('HTTPS');
  });

  test('because the quota is used up keeps what it has', async () => {
    const journal = indexedDbJournal(name);
    await journal.open();
    const full = new DOMException('no room', 'QuotaExceededError');
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw full;
    });
    await expect(journal.append(record(0))).rejects.toMatchObject({ code: 'JOURNAL_BROKEN', cause: full });
    put.mockRestore();
    await journal.close();
    expect(await knownOf(1)).toEqual([]);
  });
});
