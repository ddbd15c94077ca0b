import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEdge, withVars, type Edge } from './testing/edge.ts';

// What batches cost, according to the ledger: end to end, with concurrent calls and with a D1 that fails.

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ RATE_LIMIT: '0' });
});
afterAll(() => edge.stop());

const entries = withVars({ RATE_LIMIT: '0', CHARGE: 'entries' });

function bill({ headers }: Response): readonly (string | null)[] {
  return ['charged', 'returned', 'remaining'].map((name) => headers.get(`rcpt-${name}`));
}

describe('a batch', () => {
  it('reports its cost in headers, what remains in a 402, and its cost in the last line', async () => {
    const { key } = await edge.customer(9);
    const emails = ['a@good.test', 'b@policy.test', 'x'];
    const whole = await edge.verify(key, emails);
    await whole.arrayBuffer();
    expect(bill(whole)).toEqual(['1', '1', null]);
    const poor = await edge.customer(2);
    const few = await edge.verify(
      poor.key,
      Array.from({ length: 9 }, (_, n) => `a${n}@good.test`),
    );
    expect([few.status, ...bill(few)]).toEqual([402, null, null, '2']);
    const lines = await edge.verify(key, emails, { accept: 'application/x-ndjson' });
    expect(bill(lines)).toEqual([null, null, null]);
    expect((await lines.text()).trimEnd().split('\n').at(-1)).toBe('{"done":true,"charged":1,"returned":1}');
  });

  it.each([
    ['probed addresses', {}, ['a@good.test', 'b@dead.test'], [['hold', -2]]],
    ['a duplicate', {}, ['a@good.test', 'A@good.test'], [['hold', -1]]],
    ['entries that are not addresses', {}, ['a@good.test', 'x', 7], [['hold', -1]]],
    ['nothing but such entries', {}, ['x', 7], []],
    [
      'refused probes',
      {},
      ['a@policy.test', 'b@nobanner.test', 'c@grey.test'],
      [
        ['hold', -3],
        ['return', 2],
      ],
    ],
    [
      'an unprobed address',
      {},
      ['a@good.test', 'b@unprobed.test'],
      [
        ['hold', -2],
        ['return', 1],
      ],
    ],
    [
      'an address of which nothing comes back',
      {},
      ['a@good.test', 'b@nowhere.test'],
      [
        ['hold', -2],
        ['return', 1],
      ],
    ],
    [
      'every probe refused',
      {},
      ['a@policy.test'],
      [
        ['hold', -1],
        ['return', 1],
      ],
    ],
    ['a duplicate, by entries', entries, ['a@good.test', 'A@good.test'], [['hold', -2]]],
    ['entries that are not addresses, by entries', entries, ['x', 7], [['hold', -2]]],
    [
      'a refused duplicate, by entries',
      entries,
      ['a@policy.test', 'A@policy.test', 7],
      [
        ['hold', -3],
        ['return', 2],
      ],
    ],
  ] as const)('with %s is booked correctly', async (_name, headers, emails, rows) => {
    const { key, accountId } = await edge.customer(10);
    expect((await edge.verify(key, emails, headers)).status).toBe(200);
    const balance = rows.reduce((sum, [, delta]) => sum + delta, 10);
    expect(await edge.settled(accountId)).toEqual({ balance, rows });
  });

  it.each([
    ['no host is connected', ['a@good.test', 'b@nohost.test'], 'nohost'],
    ['every address is returned unprobed', ['a@unprobed.test'], 'unprobed'],
    ['the fleet fails', ['a@good.test', 'b@throws.test'], 'throws'],
  ])('gets 500 INTERNAL_ERROR and costs nothing if %s', async (_name, emails) => {
    const { key, accountId } = await edge.customer(10);
    const answer = await edge.verify(key, emails);
    expect([answer.status, await answer.json()]).toEqual([500, { error: expect.any(String), code: 'INTERNAL_ERROR' }]);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await edge.credits(key)).toBe(10);
    expect(await edge.money(accountId)).toEqual({
      balance: 10,
      rows: [
        ['hold', -emails.length],
        ['return', emails.length],
      ],
    });
  });

  it('keeps its results if the fleet breaks off', async () => {
    const { key, accountId } = await edge.customer(10);
    const answer = await edge.verify(key, ['a@breaks.test', 'b@dead.test']);
    expect(await answer.json()).toMatchObject([{ result: 'deliverable' }, { result: 'undeliverable' }]);
    expect((await edge.settled(accountId)).balance).toBe(8);
  });
});

describe('concurrent calls', () => {
  it('never take more credits than there are', async () => {
    const { key, accountId } = await edge.customer(50);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => edge.verify(key, [`a${i}@good.test`, `b${i}@dead.test`])),
    );
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(25);
    expect(statuses.filter((status) => status === 402)).toHaveLength(15);
    const { balance, rows } = await edge.settled(accountId);
    expect(balance).toBe(0);
    expect(rows).toEqual(Array.from({ length: 25 }, () => ['hold', -2]));
  });

  it('are refunded exactly what they are due', async () => {
    const { key, accountId } = await edge.customer(100);
    const emails = ['a@good.test', 'b@policy.test', 'c@unprobed.test'];
    await Promise.all(Array.from({ length: 30 }, () => edge.verify(key, emails)));
    const { balance, rows } = await edge.settled(accountId);
    expect(balance).toBe(70);
    expect(rows.filter(([kind]) => kind === 'return')).toEqual(Array.from({ length: 30 }, () => ['return', 2]));
  });
});

describe('a D1 that loses the connection', () => {
  it.each([
    ['before the hold', { d1Before: 1 }],
    ['after the hold', { d1After: 1 }],
  ])('%s, once, is retried and charges once', async (_name, faults) => {
    const { key, accountId } = await edge.customer(10);
    await edge.fail(faults);
    expect((await edge.verify(key, ['a@good.test'])).status).toBe(200);
    expect(await edge.settled(accountId)).toEqual({ balance: 9, rows: [['hold', -1]] });
  });

  it('after the hold, twice, leads to 500 and charges nothing', async () => {
    const { key, accountId } = await edge.customer(10);
    await edge.fail({ d1After: 2 });
    const answer = await edge.verify(key, ['a@good.test']);
    expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'INTERNAL_ERROR' }]);
    expect(await edge.money(accountId)).toEqual({
      balance: 10,
      rows: [
        ['hold', -1],
        ['return', 1],
      ],
    });
  });

  it('before and after the settlement is retried until the batch is settled, once', async () => {
    const { key, accountId } = await edge.customer(10);
    await edge.fail({ d1Skip: 1, d1Before: 1, d1After: 2 });
    expect((await edge.verify(key, ['a@good.test', 'b@policy.test'])).status).toBe(200);
    expect(await edge.settled(accountId)).toEqual({
      balance: 9,
      rows: [
        ['hold', -2],
        ['return', 1],
      ],
    });
  });
});

describe('the cron', () => {
  it('returns lost holds, once, and counts the batch', async () => {
    const { key, accountId } = await edge.customer(10);
    const db = await edge.db();
    await edge.verify(key, ['a@good.test']);
    await edge.settled(accountId);
    await db
      .prepare("INSERT INTO holds (id, account_id, credits, opened_at, expires_at) VALUES ('lost', ?, 4, 0, 1)")
      .bind(accountId)
      .run();
    await db.batch([
      db
        .prepare("INSERT INTO ledger (account_id, ref_id, kind, delta, at) VALUES (?, 'lost', 'hold', -4, 0)")
        .bind(accountId),
      db.prepare('UPDATE accounts SET balance = balance - 4 WHERE id = ?').bind(accountId),
    ]);
    for (let run = 0; run < 2; run += 1) await (await edge.mf.getWorker('edge')).scheduled();
    expect((await edge.money(accountId)).balance).toBe(9);
    const refunds = await db
      .prepare('SELECT batches FROM refund_days WHERE account_id = ?')
      .bind(accountId)
      .first('batches');
    expect(refunds).toBe(1);
    expect(edge.logs.join('\n')).toContain('holds_swept');
  });

  it('raises an alarm for a balance that differs from its rows, naming only the account', async () => {
    const { accountId } = await edge.customer(10);
    const db = await edge.db();
    await db.prepare('UPDATE accounts SET balance = 11 WHERE id = ?').bind(accountId).run();
    await (await edge.mf.getWorker('edge')).scheduled();
    await db.prepare('UPDATE accounts SET balance = 10 WHERE id = ?').bind(accountId).run();
    const alarm = edge.logs.find((line) => line.includes('balance_mismatch'));
    expect({ database: 'DB', ...JSON.parse(alarm ?? '{}') }).toEqual({
      at: expect.any(String),
      // Named where there are several.
      database: 'DB',
      level: 'error',
      event: 'balance_mismatch',
      accountId,
      difference: 1,
    });
  });
});

describe('afterwards', () => {
  it('every balance matches its rows, no hold is open, and no address is stored or logged', async () => {
    const db = await edge.db();
    const wrong = await db
      .prepare(
        'SELECT a.id FROM accounts a WHERE a.balance <> (SELECT coalesce(sum(delta), 0) FROM ledger l WHERE l.account_id = a.id)',
      )
      .all();
    expect(wrong.results).toEqual([]);
    expect(await db.prepare('SELECT count(*) AS n FROM holds WHERE closed_by IS NULL').first('n')).toBe(0);
    const tables = ['accounts', 'holds', 'ledger', 'refund_days', 'api_keys'];
    const stored = await Promise.all(
      tables.map(async (table) => (await db.prepare(`SELECT * FROM ${table}`).all()).results),
    );
    const written = JSON.stringify(stored) + edge.logs.join('\n');
    expect(written).not.toMatch(/@|(good|dead|policy|silent|breaks|nohost|unprobed)\.test|svc_live_/);
  });
});
