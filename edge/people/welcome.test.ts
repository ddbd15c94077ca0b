import { beforeEach, describe, expect, test } from 'vitest';
import { type Config, parseConfig } from '../base/config.ts';
import { shownKind } from '../ledger/gift.ts';
import { sentTo } from '../testing/sent-to.ts';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { invite } from './invitations.ts';
import { makeSignInLink } from './links.ts';
import { signIn } from './sign-in.ts';
import { welcomedOn, welcomeOf } from './welcome.ts';
import { makeKey } from '../../schema/testing/make-key.ts';

const DAY_MS = 86_400_000;

let database: TestDatabase;
beforeEach(() => {
  database = openTestDatabase();
});

function configOf(variables: Readonly<Record<string, string>> = {}): Config {
  const config = parseConfig({
    KEY_SECRETS: 'secret of the keys in this test: 32 bytes',
    OPERATOR_KEYS: '{}',
    EDGE_SIGNING_KEY: JSON.stringify(makeKey()),
    WELCOME_CREDITS: '1000',
    WELCOME_SECRET: 'secret of the welcome: 32 bytes or more',
    ...variables,
  });
  if ('wrong' in config) throw new Error(config.wrong.join());
  return config;
}

/** Signs in by a link. @returns the person, and the balance of their account */
async function enter(email: string, config = configOf()) {
  const token = (await makeSignInLink(database.db, email, sentTo(email))) ?? '';
  await signIn(database.db, { token, email }, '', { welcome: await welcomeOf(config, email), nowMs: database.now() });
  const [found] = database.rows(
    `SELECT p.id AS person, a.balance FROM people p JOIN memberships m ON m.person_id = p.id
       JOIN accounts a ON a.id = m.account_id WHERE p.email = '${email}'`,
  );
  return { person: String(found?.['person']), balance: found?.['balance'] };
}

const given = () => database.rows('SELECT coalesce(sum(delta), 0) AS given FROM ledger')[0]?.['given'];

describe('welcome credits', () => {
  test('are booked as a gift for 12 months when the account opens', async () => {
    expect(await enter('ann@own.example')).toMatchObject({ balance: 1_000 });
    const [row] = database.rows('SELECT ref_id AS refId, kind, delta FROM ledger');
    expect(row).toEqual({ refId: 'welcome', kind: 'purchase', delta: 1_000 });
    expect(shownKind({ refId: 'welcome', kind: 'purchase' })).toBe('gift');
    expect(shownKind({ refId: 'ord_1', kind: 'purchase' })).toBe('purchase');
    expect(shownKind({ refId: 'welcome', kind: 'correction' })).toBe('correction');
    expect(database.rows('SELECT expires_at AS at FROM accounts')).toEqual([{ at: Date.UTC(2027, 10, 22, 12) }]);
  });

  test.each([
    ['ann@own.example', 'ann+1@own.example'],
    ['ann@gmail.com', 'a.n.n+1@googlemail.com'],
    ['ann@outlook.com', 'ann+1@outlook.com'],
    ['base@yahoo.com', 'base-1@yahoo.com'],
    ['ann@proton.me', 'a_n-n@pm.me'],
    ['ann@icloud.com', 'ann+1@me.com'],
    ['ann@fastmail.com', 'other@ann.fastmail.com'],
  ])('are given once for %s and %s, in either order', async (one, other) => {
    await enter(one);
    expect(await enter(other)).toMatchObject({ balance: 0 });
    expect(given()).toBe(1_000);
  });

  test('go to at most WELCOME_PER_DOMAIN mailboxes of a domain and its subdomains', async () => {
    const config = configOf({ WELCOME_PER_DOMAIN: '2' });
    for (const [email, balance] of [
      ['a@own.example', 1_000],
      ['b@x.own.example', 1_000],
      ['c@y.z.own.example', 0],
      ['d@own.example', 0],
      ['e@other.example', 1_000],
    ] as const)
      expect(await enter(email, config)).toMatchObject({ balance });
  });

  test('have no limit for a domain that millions share, or if the limit is 0', async () => {
    const config = configOf({ WELCOME_PER_DOMAIN: '1' });
    for (const who of ['ann', 'bob', 'cy'])
      expect(await enter(`${who}@web.de`, config)).toMatchObject({ balance: 1_000 });
    const open = configOf({ WELCOME_PER_DOMAIN: '0', WELCOME_PER_DAY: '0' });
    for (const who of ['ann', 'bob', 'cy'])
      expect(await enter(`${who}@own.example`, open)).toMatchObject({ balance: 1_000 });
  });

  test('go to at most WELCOME_PER_DAY mailboxes a day', async () => {
    const config = configOf({ WELCOME_PER_DAY: '2' });
    for (const [email, balance] of [
      ['a@gmail.com', 1_000],
      ['b@one.example', 1_000],
      ['c@two.example', 0],
    ] as const)
      expect(await enter(email, config)).toMatchObject({ balance });
    database.pass(DAY_MS);
    expect(await enter('d@two.example', config)).toMatchObject({ balance: 1_000 });
  });

  test.each(['ann@mailinator.com', 'ann@x.mailinator.com', 'ann@duck.com', 'any@ann.anonaddy.com'])(
    'are not given to %s',
    async (email) => {
      expect(await enter(email)).toMatchObject({ balance: 0 });
    },
  );

  test('are not given to someone who joins another account', async () => {
    const { person } = await enter('ann@own.example');
    const [{ id } = { id: '' }] = database.rows('SELECT id FROM accounts');
    const email = 'bob@own.example';
    const invitation = { accountId: String(id), email, role: 'member', invitedBy: person } as const;
    const sent = await invite(database.db, invitation, sentTo(email));
    const invitationId = sent.kind === 'invited' ? sent.invitation.id : null;
    const token = (await makeSignInLink(database.db, email, sentTo(email), invitationId)) ?? '';
    const welcome = await welcomeOf(configOf(), email);
    expect(await signIn(database.db, { token, email }, '', { welcome, nowMs: database.now() })).not.toBeNull();
    expect(given()).toBe(1_000);
  });

  test.each([{ WELCOME_CREDITS: '0' }, { WELCOME_SECRET: '' }])('are given to no one with %j', async (variables) => {
    expect(await enter('ann@own.example', configOf(variables))).toMatchObject({ balance: 0 });
    expect(database.rows('SELECT * FROM welcomed')).toEqual([]);
  });

  test('leave no trace of the mailbox or its domain but a hash that needs the secret', async () => {
    await enter('ann@own.example');
    const text = JSON.stringify(database.rows('SELECT * FROM welcomed'));
    expect(text).not.toMatch(/ann|own|example/);
    const today = database.now() / DAY_MS;
    expect(await welcomedOn(database.db, configOf(), 'ann+x@own.example')).toBe(Math.floor(today));
    const other = configOf({ WELCOME_SECRET: 'another secret, which has 32 bytes too' });
    expect(await welcomedOn(database.db, other, 'ann@own.example')).toBe(null);
  });
});
