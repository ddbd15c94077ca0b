import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../testing/browser.ts';
import { startEdge, type Edge } from '../testing/edge.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ WELCOME_CREDITS: '100', RATE_LIMIT: '0' });
});
afterAll(() => edge.stop());

let people = 0;
async function newHolder() {
  const browser = new Browser(edge);
  const email = `capped-${(people += 1)}@people.test`;
  await browser.signIn(email);
  const { account } = Object((await browser.ask('GET', 'me')).body);
  const make = async (caps?: object): Promise<{ readonly id: string; readonly key: string }> => {
    const { status, body } = await browser.ask('POST', 'keys', { kind: 'live', label: 'Shop', caps });
    expect(status).toBe(201);
    return Object(body);
  };
  const capsOf = async (id: string): Promise<unknown> => {
    const { keys } = Object((await browser.ask('GET', 'keys')).body);
    return keys.find((key: { readonly id: string }) => key.id === id)?.caps;
  };
  return { browser, email, accountId: String(account.id), make, capsOf };
}
const list = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `a${n}@good.test`);
const cap = (who: Browser, keyId: string, caps: unknown) => who.ask('PUT', `keys/${keyId}`, { caps });
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

describe('a key with a cap', () => {
  it('spends just as much, however many calls come at once, and says what is left and when it resets', async () => {
    const { accountId, make, capsOf } = await newHolder();
    const { id, key } = await make({ dayCap: 7, monthCap: null });
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await edge.verify(key, list(1))).status),
    );
    const times = (status: number): number => statuses.filter((one) => one === status).length;
    expect([times(200), times(402)]).toEqual([7, 13]);
    const { balance } = await edge.settled(accountId);
    expect(balance).toBe(93);
    expect(await capsOf(id)).toEqual({ dayCap: 7, monthCap: null, spentToday: 7, spentThisMonth: null });
    const refused = await edge.verify(key, list(2));
    expect([refused.status, refused.headers.get('rcpt-remaining'), await refused.json()]).toEqual([
      402,
      '0',
      {
        error: `The key "Shop" may spend 7 credits a day: 0 left, and this request needs 2. The cap resets on ${tomorrow()} at 00:00 UTC.`,
        code: 'NO_CREDITS',
      },
    ]);
  });

  it('has what an answer returned for its next call, by the day and the month', async () => {
    const { make } = await newHolder();
    const { key } = await make({ dayCap: 3, monthCap: 3 });
    for (let call = 0; call < 4; call += 1)
      expect((await edge.verify(key, ['a@policy.test', 'b@policy.test', 'c@policy.test'])).status).toBe(200);
    expect((await edge.verify(key, list(2))).status).toBe(200);
    expect((await edge.verify(key, list(2))).status).toBe(402);
    expect((await edge.verify(key, list(1))).status).toBe(200);
  });

  it('is charged once for what is repeated, in arrays and in lines', async () => {
    const { accountId, make, capsOf } = await newHolder();
    const { id, key } = await make({ dayCap: 5, monthCap: null });
    const again = { 'idempotency-key': 'list/1' };
    for (const accept of ['*/*', 'application/x-ndjson', '*/*']) {
      const answer = await edge.verify(key, list(5), { ...again, accept });
      expect(answer.status).toBe(200);
      await answer.text();
      await edge.settled(accountId);
    }
    expect(await capsOf(id)).toMatchObject({ spentToday: 5 });
    expect((await edge.verify(key, list(1), { 'idempotency-key': 'list/2' })).status).toBe(402);
  });

  it('limits no other key, no test key, and nothing that is free', async () => {
    const { browser, make } = await newHolder();
    const [{ key }, other] = [await make({ dayCap: 1, monthCap: 1 }), await make()];
    const test: { readonly key: string } = Object(
      (await browser.ask('POST', 'keys', { kind: 'test', label: 'CI' })).body,
    );
    expect((await edge.verify(key, list(2))).status).toBe(402);
    expect((await edge.verify(key, ['no address', 'nor this'])).status).toBe(200);
    expect((await edge.verify(other.key, list(20))).status).toBe(200);
    expect((await edge.verify(test.key, ['ok@deliverable.test', 'x@deliverable.test'])).status).toBe(200);
  });

  it('gets its cap from an owner, at once and for a live key of the account alone', async () => {
    const { browser, accountId, make, capsOf } = await newHolder();
    const [member, stranger] = [await newHolder(), await newHolder()];
    const { id, key } = await make();
    expect((await edge.verify(key, list(4))).status).toBe(200);
    await edge.settled(accountId);
    expect((await cap(browser, id, { dayCap: 5, monthCap: 100 })).status).toBe(200);
    expect([(await edge.verify(key, list(2))).status, (await edge.verify(key, list(1))).status]).toEqual([402, 200]);
    await edge.settled(accountId);
    expect(await capsOf(id)).toEqual({ dayCap: 5, monthCap: 100, spentToday: 5, spentThisMonth: 5 });
    expect((await cap(browser, id, { dayCap: null, monthCap: null })).status).toBe(200);
    expect((await edge.verify(key, list(2))).status).toBe(200);
    expect((await cap(stranger.browser, id, { dayCap: 1, monthCap: null })).status).toBe(404);
    const db = await edge.db();
    const { person } = Object((await member.browser.ask('GET', 'me')).body);
    await db
      .prepare("INSERT INTO memberships (account_id, person_id, role, joined_at) VALUES (?, ?, 'member', 0)")
      .bind(accountId, person.id)
      .run();
    expect((await member.browser.ask('PUT', 'me/account', { accountId })).status).toBe(200);
    expect((await cap(member.browser, id, { dayCap: 1, monthCap: null })).status).toBe(403);
    for (const caps of [
      {},
      { dayCap: 0, monthCap: null },
      { dayCap: 1.5, monthCap: null },
      { dayCap: '1', monthCap: null },
      { dayCap: 1 },
      { dayCap: 2e9, monthCap: null },
    ])
      expect([caps, (await cap(browser, id, caps)).status]).toEqual([caps, 400]);
    for (const kind of ['test', 'formtest'])
      expect(
        (await browser.ask('POST', 'keys', { kind, label: 'x', caps: { dayCap: 1, monthCap: null } })).status,
      ).toBe(400);
  });
});
