import { beforeEach, describe, expect, test } from 'vitest';
import { hold } from './hold.ts';
import { moveAccount } from './move-account.ts';
import { KEYS, TABLES } from './move-rows.ts';
import { endFreeze, tidyUpMoves } from './unfinished-move.ts';
import { settle } from './settle.ts';
import { sweep } from './sweep.ts';
import { grant } from './grant.ts';
import { newCallId } from '../base/call.ts';
import { aroundBatch } from '../testing/worker/around-batch.ts';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';

const LASTS_MS = 300_000;
const ID = 'acme';

let databases: readonly TestDatabase[] = [];
beforeEach(() => {
  databases = [openTestDatabase(), openTestDatabase(), openTestDatabase()];
});

const all = (): ReadonlyArray<TestDatabase['db']> => databases.map(({ db }) => db);
const at = (number: number): TestDatabase => {
  const found = databases[number];
  if (found === undefined) throw new Error('no such database');
  return found;
};
const pass = (ms: number): void => databases.forEach((one) => one.pass(ms));

/** An account of the directory with purchases, closed and open batches, use, an Idempotency-Key and a key. */
async function open(): Promise<void> {
  const { db, put, now } = at(0);
  put('accounts', { id: ID, name: 'Acme', created_at: 0 }, { id: 'other', name: 'other', created_at: 0 });
  for (const accountId of [ID, 'other']) {
    put('api_keys', {
      hash: `key of ${accountId}`,
      id: accountId,
      account_id: accountId,
      label: 'l',
      hint: '',
      created_at: 0,
    });
    await grant(db, { accountId, purchaseId: '001', credits: 1_000, nowMs: now() });
  }
  for (let n = 0; n < 8; n += 1) {
    const batchId = await held(db, n % 4 === 3 ? 'other' : ID);
    if (n < 6)
      await settle(db, [{ batchId, back: n % 3, usage: { keyId: 'k', valid: 1, risky: 0, invalid: 0, unknown: 1 } }]);
  }
  put('idempotency_keys', {
    account_id: ID,
    key_hash: 'i',
    body_hash: 'b',
    charged: 'f',
    attempts: 1,
    batch_id: 'b',
    begun_at: now(),
  });
  put('notices', { account_id: ID, kind: 'low_balance', expires_at: 1, sent_at: 2 });
}

async function held(db: TestDatabase['db'], accountId = ID): Promise<string> {
  const batchId = newCallId(Date.now());
  const asked = { batchId, keyHash: `key of ${accountId}`, markUsed: false, credits: 3, addresses: 3 };
  expect((await hold(db, { ...asked, maxInFlight: 0, lastsMs: 210_000 })).kind).toBe('held');
  return batchId;
}

/** All that a database has of the account; names and the directory's own columns apart. */
const rowsOf = (number: number): unknown =>
  [...TABLES, ...(number === 0 ? [] : [KEYS])].map(({ name, columns }) =>
    at(number).rows(
      `SELECT ${columns.filter((column) => column !== 'label').join(', ')} FROM ${name} WHERE account_id = '${ID}' ORDER BY 1, 2`,
    ),
  );
const liveIn = (): readonly number[] =>
  [0, 1, 2].filter((n) => at(n).rows(`SELECT 1 FROM accounts WHERE id = '${ID}' AND elsewhere IS NULL`).length === 1);
const sumIn = (number: number): unknown =>
  at(number).rows(
    `SELECT a.balance, (SELECT sum(delta) FROM ledger WHERE account_id = a.id) AS sum FROM accounts a WHERE id = '${ID}'`,
  )[0];

const move = (to: number, dbs = all(), id = `move ${Math.random()}`): ReturnType<typeof moveAccount> => {
  const [db] = dbs;
  if (db === undefined) throw new Error('no database');
  return moveAccount({ db, all: dbs }, ID, to, { id, lastsMs: LASTS_MS });
};
const tidy = async (): Promise<void> => {
  for (const number of [0, 1, 2]) await tidyUpMoves({ db: at(0).db, all: all() }, number);
};

/** The databases, until so many batches have been sent to them. */
const dying = (calls: number): ReturnType<typeof all> => {
  let left = calls;
  return all().map((db) =>
    aroundBatch(db, (send) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('killed')) : send();
    }),
  );
};

describe('a move', { timeout: 120_000 }, () => {
  test('takes an account with all of its rows, and back, and leaves nothing but the way there', async () => {
    await open();
    const [before, money] = [rowsOf(0), sumIn(0)];
    let from = 0;
    for (const to of [1, 2, 0]) {
      expect(await move(to)).toMatchObject({ kind: 'moved', from, to });
      expect(liveIn()).toEqual([to]);
      expect(rowsOf(to)).toEqual(
        to === 0 ? before : expect.arrayContaining([...(Array.isArray(before) ? before : [])]),
      );
      expect(sumIn(to)).toEqual(money);
      for (const left of [0, 1, 2].filter((n) => n !== to))
        expect(TABLES.flatMap(({ name }) => at(left).rows(`SELECT 1 FROM ${name} WHERE account_id = '${ID}'`))).toEqual(
          [],
        );
      from = to;
    }
    expect(at(0).rows(`SELECT balance FROM accounts WHERE id = 'other'`)).toEqual([{ balance: 994 }]);
  });

  test('to where it is, of an account that is not there, to a database that is not there: each is said', async () => {
    await open();
    expect(await move(0)).toEqual({ kind: 'already_there' });
    await expect(move(3)).rejects.toThrow('there is no database DB_3');
    const nobody = moveAccount({ db: at(0).db, all: all() }, 'nobody', 1, { id: 'm', lastsMs: LASTS_MS });
    expect(await nobody).toEqual({ kind: 'unknown_account' });
    expect(liveIn()).toEqual([0]);
  });

  test('takes more rows along than fit into a page', async () => {
    await open();
    const ids = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10050)`;
    at(0)
      .rows(`${ids} INSERT INTO holds (id, account_id, credits, opened_at, expires_at, closed_by, closed_at, returned)
      SELECT printf('0%011d', i), '${ID}', 2, i, i, 'settle', i, 1 FROM n`);
    for (const [kind, delta] of [
      ['hold', -2],
      ['return', 2],
    ])
      at(0).rows(`${ids} INSERT INTO ledger SELECT '${ID}', printf('0%011d', i), '${kind}', ${delta}, i FROM n`);
    const [rows, money] = [rowsOf(0), sumIn(0)];
    expect(await move(1)).toMatchObject({ kind: 'moved' });
    expect(sumIn(1)).toEqual(money);
    expect(JSON.stringify(rowsOf(1)).startsWith(JSON.stringify(rows).slice(0, -1))).toBe(true);
    expect(at(0).rows(`SELECT 1 FROM holds WHERE account_id = '${ID}'`)).toEqual([]);
  });

  test('twice at once moves it once, to one place', async () => {
    await open();
    const money = sumIn(0);
    const both = await Promise.all([move(1), move(1), move(2)]);
    expect(both.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
    expect(liveIn()).toHaveLength(1);
    expect(sumIn(liveIn()[0] ?? 0)).toEqual(money);
  });

  test('takes open batches along: what they return is settled where it went, and swept there', async () => {
    await open();
    const batchId = await held(at(0).db);
    await move(2);
    expect([...(await settle(at(0).db, [{ batchId, back: 3 }]))]).toEqual([]);
    expect([...(await settle(at(2).db, [{ batchId, back: 3 }]))]).toEqual([batchId]);
    pass(300_000);
    expect([await sweep(at(2).db)]).toEqual([1]);
    expect(sumIn(2)).toEqual({ balance: 991, sum: 991 });
  });

  test('copies what is done while it copies, at whichever moment', async () => {
    for (let when = 1; when < 99; when += 1) {
      databases = [openTestDatabase(), openTestDatabase(), openTestDatabase()];
      await open();
      const [begun, credits] = [
        await held(at(0).db),
        Number(at(0).rows(`SELECT balance FROM accounts WHERE id = '${ID}'`)[0]?.['balance']),
      ];
      let calls = 0;
      let done: readonly string[] = [];
      const busy = all().map((db) =>
        aroundBatch(db, async (send) => {
          calls += 1;
          if (calls === when) done = [...(await settle(at(0).db, [{ batchId: begun, back: 2 }]))];
          return send();
        }),
      );
      const moved = await move(1, busy);
      expect(moved.kind).toBe('moved');
      if (calls < when) return;
      if (done.length === 0) await settle(at(1).db, [{ batchId: begun, back: 2 }]);
      expect(sumIn(1)).toEqual({ balance: credits + 2, sum: credits + 2 });
    }
    throw new Error('it never ended');
  });

  test.each([
    [0, 1],
    [1, 2],
    [2, 0],
  ])(
    'from %i to %i that is killed anywhere can be repeated, or is taken back, and costs nobody a credit',
    async (from, to) => {
      for (let calls = 1; calls < 99; calls += 1) {
        databases = [openTestDatabase(), openTestDatabase(), openTestDatabase()];
        await open();
        if (from > 0) await move(from);
        const [money, rows] = [sumIn(from), rowsOf(from)];
        const ended = await move(to, dying(calls)).catch(() => null);
        expect(liveIn().length).toBeLessThan(2);
        pass(31_000);
        if (calls % 2 === 0) await tidy();
        if (calls % 2 === 0) expect(liveIn()).toHaveLength(1);
        const again = await move(to);
        expect(['moved', 'already_there']).toContain(again.kind);
        expect([liveIn(), sumIn(to)]).toEqual([[to], money]);
        if (Math.min(from, to) > 0) expect(rowsOf(to)).toEqual(rows);
        pass(31_000);
        await tidy();
        expect(liveIn()).toEqual([to]);
        for (const gone of [0, 1, 2].filter((n) => n !== to))
          expect(at(gone).rows(`SELECT 1 FROM ledger WHERE account_id = '${ID}'`)).toEqual([]);
        for (const one of databases) expect(one.rows('SELECT 1 FROM moves')).toEqual([]);
        if (ended !== null) return;
      }
      throw new Error('it never ended');
    },
  );

  test.each([
    [0, 1, 2],
    [2, 0, 1],
  ])(
    'from %i to %i that is killed anywhere is in one place again a second later for whoever calls, and moves on to %i',
    async (from, to, next) => {
      for (let calls = 1; calls < 99; calls += 1) {
        databases = [openTestDatabase(), openTestDatabase(), openTestDatabase()];
        await open();
        if (from > 0) await move(from);
        const money = sumIn(from);
        const ended = await move(to, dying(calls)).catch(() => null);
        const isFrozen = liveIn().length === 0;
        const home = { db: at(0).db, all: all() };
        if (isFrozen) {
          await endFreeze(home, ID);
          expect(liveIn()).toEqual([]);
        }
        pass(1_001);
        const number = await endFreeze(home, ID);
        expect([liveIn(), sumIn(number)]).toEqual([[number], money]);
        expect(await move(next)).toMatchObject({ kind: 'moved', to: next });
        expect([liveIn(), sumIn(next)]).toEqual([[next], money]);
        pass(31_000);
        await tidy();
        expect([liveIn(), sumIn(next), await endFreeze(home, ID)]).toEqual([[next], money, next]);
        for (const one of databases) expect(one.rows('SELECT 1 FROM moves')).toEqual([]);
        for (const gone of [0, 1, 2].filter((n) => n !== next))
          expect(at(gone).rows(`SELECT 1 FROM ledger WHERE account_id = '${ID}'`)).toEqual([]);
        if (ended !== null) return;
      }
      throw new Error('it never ended');
    },
  );

  test('whose freeze takes longer than its lease is taken back by whoever calls, and tried again', async () => {
    await open();
    const money = sumIn(0);
    let calls = 0;
    const slow = all().map((db) =>
      aroundBatch(db, async (send) => {
        if (liveIn().length === 0 && calls < 2) {
          calls += 1;
          pass(1_001);
          expect(await endFreeze({ db: at(0).db, all: all() }, ID)).toBe(0);
          expect(liveIn()).toEqual([0]);
        }
        return send();
      }),
    );
    expect(await move(1, slow)).toMatchObject({ kind: 'moved', to: 1 });
    expect([calls, liveIn(), sumIn(1)]).toEqual([2, [1], money]);
  });
});
