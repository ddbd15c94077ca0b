import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKeySchema } from '../../schema/admin.ts';
import { hashKey } from '../access/key.ts';
import { type AdminEdge, startAdminEdge } from '../testing/admin.ts';

let edge: AdminEdge;
beforeAll(async () => {
  edge = await startAdminEdge({ FLEET_SHARDS: '2' });
});
afterAll(() => edge.stop());

async function account(id: string): Promise<string> {
  await edge.call('PUT', `/admin/v1/accounts/${id}`, { name: 'Acme' });
  return `/admin/v1/accounts/${id}`;
}

async function balanceAndSum(id: string) {
  const [row] = await edge.rows<{ balance: number; sum: number }>(
    'SELECT balance, (SELECT coalesce(sum(delta), 0) FROM ledger WHERE account_id = id) AS sum FROM accounts WHERE id = ?',
    id,
  );
  return row;
}

describe('accounts', () => {
  test('are opened once: a repeat changes nothing, another name is refused', async () => {
    const first = await edge.call('PUT', '/admin/v1/accounts/acme', { name: ' Acme GmbH ' });
    expect(first).toMatchObject({ status: 201, body: { id: 'acme', name: 'Acme GmbH', credits: 0, expiresAt: null } });
    const again = await edge.call('PUT', '/admin/v1/accounts/acme', { name: 'Acme GmbH' });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await edge.call('PUT', '/admin/v1/accounts/acme', { name: 'Other' })).toMatchObject({ status: 409 });
    expect(await edge.call('GET', '/admin/v1/accounts/acme')).toMatchObject({ status: 200, body: first.body });
  });

  test('get an owner by email address once, and a member becomes an owner that way', async () => {
    const path = await account('given');
    const body = { email: 'Ann@People.Test' };
    const given = { accountId: 'given', email: 'ann@people.test', role: 'owner' };
    expect(await edge.call('PUT', `${path}/owner`, body)).toMatchObject({ status: 201, body: given });
    expect(await edge.call('PUT', `${path}/owner`, body)).toMatchObject({ status: 200, body: given });
    await edge.rows("UPDATE memberships SET role = 'member' WHERE account_id = 'given'");
    expect(await edge.call('PUT', `${path}/owner`, body)).toMatchObject({ status: 201 });
    expect(await edge.rows('SELECT p.email, m.role FROM memberships m JOIN people p ON p.id = m.person_id')).toEqual([
      { email: 'ann@people.test', role: 'owner' },
    ]);
    expect(await edge.call('PUT', '/admin/v1/accounts/nobody/owner', body)).toMatchObject({ status: 404 });
    expect(await edge.call('PUT', `${path}/owner`, { email: 'no address' })).toMatchObject({ status: 400 });
    expect(await edge.rows('SELECT count(*) AS n FROM people')).toEqual([{ n: 1 }]);
    expect((await edge.lastAudit())?.path).not.toContain('@');
  });

  test('show balance, keys, open holds and refunds', async () => {
    const path = await account('shown');
    await edge.call('PUT', `${path}/grants/p1`, { credits: 100 });
    await edge.call('PUT', '/admin/v1/keys/key_shown0001', { accountId: 'shown', label: 'live' });
    await edge.rows(
      "INSERT INTO holds (id, account_id, credits, opened_at, expires_at) VALUES ('b1', 'shown', 7, 1, 2)",
    );
    await edge.rows(
      "INSERT INTO holds (id, account_id, credits, opened_at, expires_at, closed_by, returned) VALUES ('b2', 'shown', 3, 1, 2, 'settle', 0)",
    );
    await edge.rows("INSERT INTO refund_days VALUES ('shown', 20000, 4), ('shown', 20001, 1)");
    expect((await edge.call('GET', path)).body).toMatchObject({
      credits: 100,
      balance: 100,
      keys: [{ id: 'key_shown0001', label: 'live', lastUsed: null }],
      openHolds: { batches: 1, credits: 7 },
      refundDays: [
        { day: '2024-10-05', batches: 1 },
        { day: '2024-10-04', batches: 4 },
      ],
    });
  });

  test('show 0 credits once expired, and the balance', async () => {
    const path = await account('expired');
    await edge.call('PUT', `${path}/grants/p1`, { credits: 100 });
    await edge.rows("UPDATE accounts SET expires_at = 1 WHERE id = 'expired'");
    expect((await edge.call('GET', path)).body).toMatchObject({ credits: 0, balance: 100 });
  });
});

describe('keys', () => {
  test('are shown once, and only their SHA-256 is stored', async () => {
    const path = await account('keyed');
    const made = await edge.call('PUT', '/admin/v1/keys/key_keyed0001', { accountId: 'keyed', label: 'live' });
    expect(made.status).toBe(201);
    const { key } = newKeySchema.parse(made.body);
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
    expect(await edge.rows('SELECT hash, hint FROM api_keys WHERE id = ?', 'key_keyed0001')).toEqual([
      { hash: await hashKey(key), hint: key.slice(-4) },
    ]);
    const tables = await edge.rows<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
    for (const { name } of tables.filter((table) => !table.name.startsWith('_cf_')))
      expect(JSON.stringify(await edge.rows(`SELECT * FROM "${name}"`))).not.toContain(key.slice(9));
    expect(JSON.stringify((await edge.call('GET', path)).body)).not.toContain(key);
    expect(edge.logs.join('\n')).not.toContain(key);
  });

  test('are made once per id, and only for an existing account', async () => {
    const path = await account('twice');
    const body = { accountId: 'twice', label: 'x' };
    await edge.call('PUT', '/admin/v1/keys/key_twice0001', body);
    const again = await edge.call('PUT', '/admin/v1/keys/key_twice0001', body);
    expect(again).toMatchObject({ status: 409, body: { error: expect.stringContaining('shown only once') } });
    expect((await edge.call('GET', path)).body).toMatchObject({ keys: [{ id: 'key_twice0001' }] });
    const orphan = { accountId: 'nobody', label: 'x' };
    expect(await edge.call('PUT', '/admin/v1/keys/key_twice0002', orphan)).toMatchObject({ status: 404 });
    expect(await edge.call('GET', '/admin/v1/accounts/nobody')).toMatchObject({ status: 404 });
  });
});

describe('grants', () => {
  test('are booked once under one id, even when sent ten times at once', async () => {
    const path = `${await account('granted')}/grants/inv-1`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => edge.call('PUT', path, { credits: 500 })));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(9);
    for (const answer of answers)
      expect(answer.body).toMatchObject({ kind: 'purchase', credits: 500, balance: 500, purchaseId: 'inv-1' });
    expect(await balanceAndSum('granted')).toEqual({ balance: 500, sum: 500 });
  });

  test.each([['another amount', 501]])('reject %s under the same id', async (_what, credits) => {
    const id = 'conflict';
    const path = await account(id);
    await edge.call('PUT', `${path}/grants/p1`, { credits: 500 });
    const refused = await edge.call('PUT', `${path}/grants/p1`, { credits });
    expect(refused).toMatchObject({ status: 409, body: { error: expect.stringContaining('nothing was changed') } });
    expect(await balanceAndSum(id)).toEqual({ balance: 500, sum: 500 });
  });

  test('are refused for an unknown account', async () => {
    for (const path of ['grants', 'corrections'])
      expect(await edge.call('PUT', `/admin/v1/accounts/nobody/${path}/p1`, { credits: 1 })).toMatchObject({
        status: 404,
      });
  });
});

const rowOf = async (id: string) =>
  (await edge.rows(`SELECT expires_at AS expiresAt, has_bought AS hasBought FROM accounts WHERE id = '${id}'`))[0];

describe('corrections', () => {
  test('give credits back or take them away, once per id and never below 0, and leave expiry and class', async () => {
    const path = await account('corrected');
    const correct = (id: string, credits: number) => edge.call('PUT', `${path}/corrections/${id}`, { credits });
    expect(await correct('r1', 500)).toMatchObject({
      status: 201,
      body: { kind: 'correction', credits: 500, booked: true, balance: 500, expiresAt: null },
    });
    expect(await rowOf('corrected')).toEqual({ expiresAt: 0, hasBought: 0 });
    expect(await correct('c1', -200)).toMatchObject({ status: 201, body: { booked: true, balance: 300 } });
    expect(await correct('c1', -200)).toMatchObject({ status: 200, body: { booked: false, balance: 300 } });
    const refused = { status: 409, body: { error: 'Account corrected has 300 credits: 301 cannot be taken back.' } };
    expect(await correct('c2', -301)).toMatchObject(refused);
    expect(await correct('c1', 200)).toMatchObject({ status: 409 });
    // One id stands for one change, of either kind.
    expect(await edge.call('PUT', `${path}/grants/r1`, { credits: 500 })).toMatchObject({ status: 409 });
    expect(await edge.call('PUT', `${path}/grants/p2`, { credits: -7 })).toMatchObject({ status: 400 });
    expect(await balanceAndSum('corrected')).toEqual({ balance: 300, sum: 300 });
    await edge.call('PUT', `${path}/grants/p1`, { credits: 7 });
    expect(await correct('p1', 7)).toMatchObject({ status: 409 });
  });

  test.each([
    ['ledger', 325, 25, { balance: 325, sum: 325 }],
    ['ledger', 275, -25, { balance: 275, sum: 275 }],
    ['balance', 325, -25, { balance: 300, sum: 300 }],
    ['balance', 0, 300, { balance: 300, sum: 300 }],
  ])(
    'of the %s alone, of an account with a balance of %i and rows for 300, take exactly %i',
    async (only, balance, needed, then) => {
      const id = `alone-${only}-${balance}`;
      const path = await account(id);
      await edge.call('PUT', `${path}/grants/p1`, { credits: 300 });
      await edge.rows(`UPDATE accounts SET balance = ${balance} WHERE id = '${id}'`);
      const before = await rowOf(id);
      const correct = (name: string, credits: number) =>
        edge.call('PUT', `${path}/corrections/${name}`, { credits, only });
      for (const credits of [needed + 1, 0 - needed])
        expect(await correct('m1', credits)).toMatchObject({
          status: 409,
          body: { error: `Only ${needed} credits would make the ${only} of account ${id} agree: nothing was changed.` },
        });
      expect(await correct('m1', needed)).toMatchObject({ status: 201, body: { booked: true, balance: then.balance } });
      expect(await correct('m1', needed)).toMatchObject({ status: 200, body: { booked: false } });
      expect(await balanceAndSum(id)).toEqual(then);
      expect(await rowOf(id)).toEqual(before);
      // Books that agree are not made to differ.
      for (const credits of [1, -1])
        expect((await correct(`m2${credits}`.replace('-', 'x'), credits)).body).toMatchObject({ booked: false });
      expect(await balanceAndSum(id)).toEqual(then);
    },
  );
});

describe('a statement', () => {
  test('shows welcome credits as a gift, under a name that no purchase can have', async () => {
    const path = await account('welcomed');
    await edge.rows("UPDATE accounts SET balance = 5 WHERE id = 'welcomed'");
    await edge.rows("INSERT INTO ledger VALUES ('welcomed', 'welcome', 'purchase', 5, 1000)");
    expect((await edge.call('GET', `${path}/ledger`)).body).toMatchObject({ rows: [{ kind: 'gift', ref: 'welcome' }] });
    expect(await edge.call('PUT', `${path}/grants/welcome`, { credits: 5 })).toMatchObject({ status: 400 });
  });

  test.each(['limit=0', 'limit=501', 'limit=x', 'before=x', 'before=1.bribe.p1', 'after=1'])(
    'rejects ?%s',
    async (query) => {
      expect(await edge.call('GET', `${await account('paged')}/ledger?${query}`)).toMatchObject({ status: 400 });
    },
  );
});

describe('the list of accounts', () => {
  test('finds part of an id or name in any case, and shows people, keys and the day of last use', async () => {
    for (const [id, name] of [
      ['srch-1', 'Blue % Fish'],
      ['srch-2', 'Red'],
      ['blue-3', 'Nobody'],
    ] as const)
      await edge.call('PUT', `/admin/v1/accounts/${id}`, { name });
    await edge.call('PUT', '/admin/v1/accounts/srch-1/owner', { email: 'ann@fish.test' });
    await edge.rows("INSERT INTO usage_days VALUES ('srch-1', 20000, 'page', 1, 1, 0, 0, 0, 1, 0)");
    const found = async (search: string): Promise<readonly string[]> => {
      const { body } = await edge.call('GET', `/admin/v1/accounts?${new URLSearchParams({ search }).toString()}`);
      return Object(body).accounts.map(({ id }: { id: string }) => id);
    };
    expect(await found('BLUE')).toEqual(['blue-3', 'srch-1']);
    expect(await found('% f')).toEqual(['srch-1']);
    expect(await found('SRCH-')).toEqual(['srch-1', 'srch-2']);
    expect(await found("'; --")).toEqual([]);
    const { body } = await edge.call('GET', '/admin/v1/accounts?search=fish');
    expect(body).toMatchObject({ accounts: [{ people: 1, keys: 0, lastUse: '2024-10-04' }] });
    expect((await edge.call('GET', '/admin/v1/accounts/srch-1')).body).toMatchObject({
      people: [{ email: 'ann@fish.test', role: 'owner' }],
      lastUse: '2024-10-04',
    });
    expect((await edge.call('GET', '/admin/v1/accounts/srch-2')).body).toMatchObject({ people: [], lastUse: null });
  });
});

/** The orders that a query lists, by the letter that their ids consist of. */
async function ids(query: string): Promise<readonly string[]> {
  const { status, body } = await edge.call('GET', `/admin/v1/orders${query}`);
  expect(status).toBe(200);
  return Object(body).orders.map(({ id }: { id: string }) => id.slice(4, 5));
}

describe('orders', () => {
  test('are listed with their outcome, by state and account, in pages', async () => {
    await account('buyer');
    await account('other');
    // One letter per order; b and c were placed at the same moment.
    for (const [letter, owner, state, at, refunded, dispute] of [
      ['a', 'buyer', 'open', 1_000, 0, null],
      ['b', 'buyer', 'paid', 2_000, 0, null],
      ['c', 'other', 'paid', 2_000, 500, null],
      ['d', 'buyer', 'paid', 3_000, 0, 'lost'],
      ['e', 'other', 'expired', 4_000, 0, null],
    ] as const)
      await edge.rows(
        `INSERT INTO orders (id, account_id, credits, amount, currency, state, created_at, paid_at, checkout_id, payment_id, asked_at, refunded, dispute)
         VALUES (?1, ?2, 100, 4900, 'eur', ?3, ?4, iif(?3 = 'paid', ?4, NULL), 'cs_' || ?1, iif(?3 = 'paid', 'pi_' || ?1, NULL), 0, ?5, ?6)`,
        `ord_${letter.repeat(16)}`,
        owner,
        state,
        at,
        refunded,
        dispute,
      );
    expect(await ids('')).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(await ids('?account=buyer')).toEqual(['d', 'b', 'a']);
    expect(await ids('?state=paid')).toEqual(['d', 'c', 'b']);
    expect(await ids('?state=refunded')).toEqual(['c']);
    expect(await ids('?state=disputed&account=buyer')).toEqual(['d']);
    expect(await ids('?state=open&account=other')).toEqual([]);
    expect((await edge.call('GET', '/admin/v1/orders?state=refunded')).body).toEqual({
      orders: [
        {
          id: `ord_${'c'.repeat(16)}`,
          accountId: 'other',
          credits: 100,
          amount: 4_900,
          currency: 'eur',
          state: 'paid',
          createdAt: '1970-01-01T00:00:02.000Z',
          paidAt: '1970-01-01T00:00:02.000Z',
          refunded: 500,
          dispute: null,
          checkoutId: `cs_ord_${'c'.repeat(16)}`,
          paymentId: `pi_ord_${'c'.repeat(16)}`,
        },
      ],
      next: null,
    });
    const pages: string[] = [];
    for (let query = '?limit=2'; ;) {
      pages.push((await ids(query)).join(''));
      const { next } = Object((await edge.call('GET', `/admin/v1/orders${query}`)).body);
      if (next === null) break;
      query = `?limit=2&before=${next}`;
    }
    expect(pages).toEqual(['ed', 'cb', 'a']);
  });

  test.each(['state=bribed', 'limit=0', 'before=x', 'before=1.x', 'account=A', 'who=ann'])(
    'reject ?%s',
    async (query) => {
      expect(await edge.call('GET', `/admin/v1/orders?${query}`)).toMatchObject({ status: 400 });
    },
  );
});
