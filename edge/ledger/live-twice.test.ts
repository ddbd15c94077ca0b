import { expect, test } from 'vitest';
import { openTestDatabase } from '../testing/sqlite-d1.ts';
import { grant } from './grant.ts';
import { liveTwice } from './live-twice.ts';
import { moveAccount } from './move-account.ts';

const databases = (): ReturnType<typeof openTestDatabase>[] => [0, 1, 2].map(() => openTestDatabase());

async function opened(all: ReturnType<typeof databases>): Promise<Parameters<typeof moveAccount>[0]> {
  const [first] = all;
  if (first === undefined) throw new Error('no database');
  for (const id of ['acme', 'other']) {
    first.put('accounts', { id, name: id, created_at: 0 });
    await grant(first.db, { accountId: id, purchaseId: 'p', credits: 10, nowMs: first.now() });
  }
  return { db: first.db, all: all.map(({ db }) => db) };
}

const found = async (home: Parameters<typeof liveTwice>[0]): Promise<unknown> =>
  Promise.all([0, 1, 2].map((number) => liveTwice(home, number)));

test('an account that was moved is live in one database, wherever and however often it went', async () => {
  const home = await opened(databases());
  for (const to of [1, 2, 0, 2]) {
    await moveAccount(home, 'acme', to, { id: `to ${to}`, lastsMs: 1_000 });
    expect(await found(home)).toEqual([[], [], []]);
  }
});

test('a database that has an account as it was before a move is named, with the one that the directory says', async () => {
  const all = databases();
  const home = await opened(all);
  for (const to of [1, 2]) await moveAccount(home, 'acme', to, { id: `to ${to}`, lastsMs: 1_000 });
  all[1]?.rows(`UPDATE accounts SET elsewhere = NULL WHERE id = 'acme'`);
  expect(await found(home)).toEqual([[], [{ accountId: 'acme', other: 2 }], []]);
});

test('a directory that knows nothing of a move is told by the database where the account is', async () => {
  const all = databases();
  const home = await opened(all);
  await moveAccount(home, 'acme', 1, { id: 'to 1', lastsMs: 1_000 });
  all[0]?.rows(`UPDATE accounts SET elsewhere = NULL WHERE id = 'acme'`);
  expect(await found(home)).toEqual([[], [{ accountId: 'acme', other: 0 }], []]);
});
