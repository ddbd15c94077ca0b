import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accountPartOf, limiterOf } from '../access/key.ts';
import { Browser } from '../testing/browser.ts';
import { startEdge, withVars, type Edge } from '../testing/edge.ts';
import { SHOP } from '../testing/form.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ WELCOME_CREDITS: '20' });
});
afterAll(() => edge.stop());

/** Nothing that is stored may contain it. */
const MARK = `q${randomUUID().slice(0, 8)}`;
const ADDRESS = `${MARK}@${MARK}.test`;
const FORM = { origins: [SHOP], creditsPerDay: 500, perMinute: 60, perHour: 60, rejectsDisposable: false };

type Made = { readonly id: string; readonly key: string };
type Entry = Readonly<Record<'key' | 'status' | 'code' | 'entries' | 'charged' | 'returned' | 'times', unknown>> & {
  readonly requestId: string;
  readonly at: string;
  readonly ms: number;
};

let people = 0;
async function newHolder() {
  const browser = new Browser(edge);
  await browser.signIn(`logged-${(people += 1)}@people.test`);
  const { account } = Object((await browser.ask('GET', 'me')).body);
  const make = async (kind: string, label: string): Promise<Made> => {
    const { status, body } = await browser.ask('POST', 'keys', {
      kind,
      label,
      ...(kind === 'form' ? { form: FORM } : {}),
    });
    expect(status).toBe(201);
    return Object(body);
  };
  const read = async (query = ''): Promise<{ rows: Entry[]; next: string | null; labels: object }> => {
    const { status, body } = await browser.ask('GET', `requests${query}`);
    expect(status).toBe(200);
    return Object(body);
  };
  /** Waits until it has as many. */
  const readAll = async (rows: number): Promise<readonly Entry[]> =>
    vi.waitFor(
      async () => {
        await edge.settled(account.id);
        const found = (await read('?limit=200')).rows;
        expect(found.length).toBe(rows);
        return found;
      },
      { timeout: 10_000, interval: 100 },
    );
  return { browser, accountId: String(account.id), make, read, readAll };
}

async function askForm(body: unknown, origin = SHOP): Promise<Response> {
  return fetch(new URL('/api/v1/form', edge.url), {
    method: 'POST',
    headers: { origin, 'cf-connecting-ip': '10.9.9.9' },
    body: JSON.stringify(body),
  });
}

async function post(key: string, body: string): Promise<Response> {
  const headers = {
    authorization: `Bearer ${key}`,
    'idempotency-key': ADDRESS,
    'user-agent': ADDRESS,
    referer: ADDRESS,
  };
  return fetch(new URL('/api/v1/verify', edge.url), { method: 'POST', headers, body });
}

describe('the log of calls', () => {
  it('has calls of every kind with the id of their answer, what they cost and why they were refused', async () => {
    const { browser, accountId, make, readAll } = await newHolder();
    const live = await make('live', `live ${ADDRESS}`);
    const [test, gone, form] = [await make('test', 'test'), await make('live', 'gone'), await make('form', 'form')];
    const { key: page } = Object((await browser.ask('POST', 'page-key', {})).body);
    expect((await browser.ask('DELETE', `keys/${gone.id}`)).status).toBe(200);
    const slow = withVars({ RATE_LIMIT: '1' });
    const list = ['ann@good.test', 'bob@blocked.test', ADDRESS.replace('@', '@@'), 7];
    const many = Array.from({ length: 30 }, (_, n) => `${n}@good.test`);
    const calls: ReadonlyArray<readonly [Response, object]> = [
      [
        await edge.verify(live.key, list),
        { key: live.id, status: 200, code: null, entries: 4, charged: 1, returned: 1 },
      ],
      [await edge.verify(live.key, many), { key: live.id, status: 402, code: 'NO_CREDITS', entries: 30, charged: 0 }],
      [await edge.verify(live.key, ['no address', `${ADDRESS}@`]), { key: live.id, status: 200, entries: 2 }],
      [
        await post(live.key, `{"emails":"${ADDRESS}"}`),
        { key: live.id, status: 400, code: 'INVALID_INPUT', entries: null },
      ],
      [await post(live.key, ADDRESS.padEnd(60_000)), { key: live.id, status: 413, code: null, entries: null }],
      [await post(live.key, JSON.stringify({ emails: ['a@good.test'] })), { key: live.id, status: 200, charged: 1 }],
      [
        await post(live.key, JSON.stringify({ emails: ['b@good.test'] })),
        { status: 422, code: 'IDEMPOTENCY_MISMATCH' },
      ],
      [await post(live.key, JSON.stringify({ emails: ['a@good.test'] })), { status: 200, charged: 0, returned: 0 }],
      [
        await edge.verify(gone.key, ['a@good.test']),
        { key: null, status: 401, code: 'UNAUTHORIZED', hint: gone.key.slice(-4) },
      ],
      [await edge.verify(test.key, ['ok@deliverable.test']), { key: test.id, status: 200, entries: 1, charged: 0 }],
      [await edge.verify(page, ['ann@good.test']), { key: 'page', status: 200, charged: 1, hint: null }],
      [await askForm({ key: form.key, email: 'ann@good.test' }), { key: form.id, status: 200, charged: 1 }],
      [await askForm({ key: form.key, email: `${ADDRESS}@` }), { key: form.id, status: 200, charged: 0 }],
      [await askForm({ key: form.key, email: ADDRESS }, `https://${MARK}.test`), { key: form.id, status: 401 }],
      [await askForm({ key: live.key, email: ADDRESS }), { key: live.id, status: 401, code: 'UNAUTHORIZED' }],
      [await edge.verify(form.key, [ADDRESS]), { key: form.id, status: 401 }],
      [await edge.verify(test.key, ['a@b.test'], slow), { key: test.id, status: 429, code: 'RATE_LIMITED', times: 1 }],
    ];
    const rows = await readAll(calls.length);
    const byId = new Map(rows.map((row) => [row.requestId, row]));
    for (const [answer, expected] of calls) {
      const found = byId.get(answer.headers.get('rcpt-request-id') ?? '');
      expect(found).toMatchObject({ times: 1, ...expected });
      expect(found?.ms).toBeGreaterThanOrEqual(0);
    }
    expect(rows.map(({ at }) => at)).toEqual(
      rows
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );

    // Nothing says what any of them was about.
    const db = await edge.db();
    const tables = await db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'")
      .all();
    for (const { name } of tables.results) {
      const { results } = await db.prepare(`SELECT * FROM "${String(name)}"`).all();
      // The name of a key is its owner's own text.
      const text = JSON.stringify(results).replaceAll(`live ${ADDRESS}`, '');
      expect([name, text.includes(MARK), /good\.test|deliverable\.test/.test(text)]).toEqual([name, false, false]);
    }
    const { results } = await db.prepare('SELECT * FROM holds WHERE account_id = ?').bind(accountId).all();
    expect(JSON.stringify(results)).not.toContain(MARK);
  });

  it('is filtered by key, status, code and time, and read page by page', async () => {
    const { browser, make, read, readAll } = await newHolder();
    const [live, other, gone] = [await make('live', 'A'), await make('live', 'B'), await make('live', 'C')];
    for (const { key } of [live, other, live, gone]) await edge.verify(key, ['ann@good.test']);
    for (const { key } of [live, other]) await post(key, '{}');
    await browser.ask('DELETE', `keys/${gone.id}`);
    const all = await readAll(6);
    const count = async (query: string): Promise<number> => (await read(query)).rows.length;
    expect(await count(`?key=${live.id}`)).toBe(3);
    expect(await count('?key=deleted')).toBe(1);
    expect([await count('?status=400'), await count('?status=INVALID_INPUT'), await count('?status=402')]).toEqual([
      2, 2, 0,
    ]);
    expect(await count(`?key=${other.id}&status=200`)).toBe(1);
    const [today, third] = [new Date().toISOString().slice(0, 10), all[2]?.at ?? ''];
    expect([await count(`?from=${today}&to=${today}`), await count('?to=2020-01-01')]).toEqual([6, 0]);
    expect((await count(`?from=${third}`)) + (await count(`?to=${third}`))).toBe(7);
    const pages: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page = await read(`?limit=4${next === '' ? '' : `&before=${next}`}`);
      pages.push(...page.rows.map(({ requestId }) => requestId));
      next = page.next;
    }
    expect(pages).toEqual(all.map(({ requestId }) => requestId));
    for (const query of [
      'limit=0',
      'limit=201',
      'before=x',
      'status=4',
      'from=yesterday',
      'to=2026-02-30',
      'from=2026-11-02&to=2026-11-01',
      'x=1',
    ])
      expect([query, (await browser.ask('GET', `requests?${query}`)).status]).toEqual([query, 400]);
  });

  it('counts a flood of refusals, and has the calls of others in the same second', async () => {
    const [ann, bob] = [await newHolder(), await newHolder()];
    const [{ key }, other] = [await ann.make('live', 'A'), await bob.make('live', 'B')];
    const headers = { authorization: `Bearer ${key}`, ...withVars({ RATE_LIMIT: '0' }) };
    const url = new URL('/api/v1/verify', edge.url);
    const flood = Array.from({ length: 200 }, () => fetch(url, { method: 'POST', headers, body: '{}' }));
    await Promise.all([...flood, post(other.key, '{}')]);
    await bob.readAll(1);
    const sum = await vi.waitFor(async () => {
      const { rows } = await ann.read('?limit=200');
      expect(rows.reduce((all, { times }) => all + Number(times), 0)).toBe(200);
      return rows.length;
    }, 10_000);
    expect(sum).toBeLessThan(150);
  });

  it('keeps what a deleted key still calls apart from the account’s own calls, beyond its rate limit too', async () => {
    const { browser, accountId, make, readAll } = await newHolder();
    const { id, key } = await make('live', 'leaked');
    expect((await browser.ask('DELETE', `keys/${id}`)).status).toBe(200);
    const slow = withVars({ RATE_LIMIT: '1' });
    expect((await edge.verify(key, ['a@good.test'], slow)).status).toBe(401);
    expect((await edge.verify(key, ['a@good.test'], slow)).status).toBe(429);
    await readAll(2);
    const limiter = await limiterOf(await accountPartOf(accountId, 0));
    const { results } = await (
      await edge.db()
    )
      .prepare('SELECT ring FROM call_rings WHERE account = ?')
      .bind(limiter)
      .all();
    expect(results).toEqual([{ ring: 'strangers' }]);
  });

  it('has calls that failed, are under way, or whose caller left', async () => {
    const { make, read } = await newHolder();
    const { key } = await make('live', 'A');
    expect((await edge.verify(key, ['a@throws.test'])).status).toBe(500);
    const headers = { authorization: `Bearer ${key}` };
    const caller = request(new URL('/api/v1/verify', edge.url), { method: 'POST', headers }).on('error', () => {});
    caller.end(JSON.stringify({ emails: ['a@silent.test', 'not one'] }));
    const latest = async () =>
      (await read()).rows.map(({ status, code, charged, returned, entries }) => ({
        status,
        code,
        charged,
        returned,
        entries,
      }));
    const failed = { status: 500, code: 'INTERNAL_ERROR', charged: 0, returned: 1, entries: 1 };
    const open = { status: null, code: null, charged: null, returned: null, entries: 2 };
    await vi.waitFor(async () => expect(await latest()).toEqual([open, failed]), 10_000);
    caller.socket?.resetAndDestroy();
    const left = { ...open, status: 499, charged: 0, returned: 1 };
    await vi.waitFor(async () => expect(await latest()).toEqual([left, failed]), 10_000);
  });

  it('goes with its account', async () => {
    const { browser, accountId, make, readAll } = await newHolder();
    const { key } = await make('live', 'A');
    await edge.verify(key, ['ann@good.test']);
    await post(key, '{}');
    await readAll(2);
    const { person } = Object((await browser.ask('GET', 'me')).body);
    expect((await browser.ask('DELETE', 'me', { email: person.email })).status).toBe(200);
    const limiter = await limiterOf(await accountPartOf(accountId, 0));
    const db = await edge.db();
    expect((await db.prepare('SELECT * FROM call_rings WHERE account = ?').bind(limiter).all()).results).toEqual([]);
    const { results } = await db
      .prepare('SELECT key_id, status, ms FROM holds WHERE account_id = ?')
      .bind(accountId)
      .all();
    expect(results).toEqual([{ key_id: null, status: null, ms: null }]);
  });

  it('is the account’s alone', async () => {
    const [ann, bob] = [await newHolder(), await newHolder()];
    const { key } = await ann.make('live', 'A');
    await edge.verify(key, ['ann@good.test']);
    await post(key, '{}');
    await ann.readAll(2);
    expect((await bob.read()).rows).toEqual([]);
    expect((await new Browser(edge).ask('GET', 'requests')).status).toBe(401);
  });
});
