import { beforeEach, describe, expect, test } from 'vitest';
import { peopleIn } from '../testing/people-in.ts';
import { sentTo } from '../testing/sent-to.ts';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { invite } from './invitations.ts';
import { makeSignInLink } from './links.ts';
import { areUsedUp, DROP_OLD_MAILS, strangersMayHave } from './mail-limits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let database: TestDatabase;
let world: ReturnType<typeof peopleIn>;
beforeEach(() => {
  database = openTestDatabase();
  world = peopleIn(database);
  world.person('ann');
  world.account('acme', { ann: 'owner' });
});

type From = Parameters<typeof sentTo>[1];
/** How many of these addresses get a link. */
async function linked(emails: readonly string[], from: From = {}): Promise<number> {
  let links = 0;
  for (const email of emails) if ((await makeSignInLink(database.db, email, sentTo(email, from))) !== null) links += 1;
  return links;
}
/** How many of these addresses an account can invite. */
async function invited(accountId: string, invitedBy: string, emails: readonly string[], total = 1_000) {
  let sent = 0;
  for (const email of emails) {
    const invitation = { accountId, invitedBy, email, role: 'member' } as const;
    const { kind } = await invite(database.db, invitation, sentTo(email, { share: accountId, total }));
    if (kind === 'invited') sent += 1;
  }
  return sent;
}
const many = (count: number, name: (n: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, n) => name(n));

const people = (who: string, count: number) => many(count, (n) => `${who}${n}@own.example`);

describe('links for strangers', () => {
  test.each([
    ['tags', (n: number) => `victim+${n}@own.example`],
    ['dots and tags at Gmail', (n: number) => `v${'.'.repeat(n % 2)}ictim+${n}@gmail.com`],
    ['hyphens at Yahoo', (n: number) => `victim-${n}@yahoo.com`],
    ['names of its domain', (n: number) => `${n}@victim.fastmail.com`],
  ])('are limited to five an hour per mailbox, in any spelling: %s', async (_what, name) => {
    expect(await linked(many(30, name))).toBe(5);
    database.pass(HOUR_MS);
    expect(await linked(many(30, name))).toBe(5);
  });

  test('share a total: one network gets half, the next one half of the rest, and everyone another day', async () => {
    const from = (share: string) => linked(people(share, 50), { share, total: 60 });
    expect([await from('AS1'), await from('AS1'), await from('AS2'), await from('AS3')]).toEqual([30, 0, 15, 8]);
    // Someone from elsewhere is served at once.
    expect(await linked(['new@own.example'], { share: 'AS4', total: 60 })).toBe(1);
    database.pass(DAY_MS);
    expect(await from('AS1')).toBe(30);
  });

  test('are reported as used up only to networks that used their share', async () => {
    const mayHave = (share: string) => strangersMayHave(database.db, { share, total: 60 });
    expect(await mayHave('AS1')).toBe(true);
    await linked(people('crowd', 50), { share: 'AS1', total: 60 });
    expect([await mayHave('AS1'), await mayHave('AS2')]).toEqual([false, true]);
    database.pass(DAY_MS);
    expect(await mayHave('AS1')).toBe(true);
  });

  test('are reported as half used when they are', async () => {
    for (let n = 0; n < 19; n += 1) await linked([`a${n}@own.example`], { share: `net ${n}`, total: 40 });
    expect(await areUsedUp(database.db, { total: 20, day: 40 })).toBe(false);
    await linked(['b@own.example'], { total: 40 });
    expect(await areUsedUp(database.db, { total: 20, day: 40 })).toBe(true);
    database.pass(DAY_MS);
    expect(await areUsedUp(database.db, { total: 20, day: 40 })).toBe(false);
  });
});

test('whatever strangers and free accounts ask for in a day, half of its mails stay with members', async () => {
  let had = 0;
  for (let hour = 0; hour < 24; hour += 1) {
    // More networks and autonomous systems than anybody has.
    for (let n = 0; n < 20; n += 1)
      had += await linked(people(`s${hour}-${n}-`, 1), { share: `AS${hour}-${n}`, total: 40 });
    had += await invited('acme', 'ann', people(`i${hour}-`, 3), 40);
    database.pass(HOUR_MS - 1);
  }
  expect(had).toBe(40);
  expect(await linked(['ann@x.test'], { total: 40 })).toBe(1);
});

test('who asks for links of members gets half of what is left of a day, and members elsewhere still get theirs', async () => {
  const members = many(4, (n) => `m${n}`);
  for (const id of members) {
    world.person(id);
    world.account(`of-${id}`, { [id]: 'owner' });
  }
  const emails = members.slice(1).map((id) => `${id}@x.test`);
  const had = { AS1: 0, AS2: 0 };
  for (let quarter = 0; quarter < 95; quarter += 1) {
    for (const share of ['AS1', 'AS2'] as const) had[share] += await linked([...emails, ...emails], { share, day: 40 });
    database.pass(HOUR_MS / 4);
  }
  expect(had.AS1 + had.AS2).toBeLessThan(40);
  expect(await linked(['m0@x.test'], { share: 'AS3', day: 40 })).toBe(1);
});

/** The id of an invitation to `cy@own.example`. */
async function inviteCy(): Promise<string> {
  expect(await invited('acme', 'ann', ['cy@own.example'])).toBe(1);
  return String(database.rows('SELECT id FROM invitations')[0]?.['id']);
}
const accepts = (id: string) =>
  makeSignInLink(database.db, 'cy@own.example', sentTo('cy@own.example', { total: 9 }), id);

describe('an invitation by an account that has bought', () => {
  beforeEach(() => void database.rows("UPDATE accounts SET has_bought = 1 WHERE id = 'acme' RETURNING id"));

  test('is accepted by a link when strangers have had all of theirs', async () => {
    const id = await inviteCy();
    for (let n = 0; n < 20; n += 1) await linked([`a${n}@own.example`], { share: `net ${n}`, total: 9 });
    expect(await linked(['cy@own.example'], { share: 'new', total: 9 })).toBe(0);
    expect(await accepts(id)).not.toBeNull();
  });

  test('is accepted by a link when somebody has had the mailbox filled with links that only sign in', async () => {
    const id = await inviteCy();
    expect(await linked(Array(9).fill('cy@own.example'))).toBe(3);
    const links = [await accepts(id), await accepts(id), await accepts(id), await accepts(id)];
    expect(links.map((link) => link !== null)).toEqual([true, true, true, false]);
  });
});

describe('invitations', () => {
  test('are limited to five an hour per mailbox, over all accounts and spellings', async () => {
    world.person('bob');
    world.account('other', { bob: 'owner' });
    expect(
      await invited(
        'acme',
        'ann',
        many(4, (n) => `victim+${n}@own.example`),
      ),
    ).toBe(4);
    expect(
      await invited(
        'other',
        'bob',
        many(30, (n) => `victim+b${n}@own.example`),
      ),
    ).toBe(1);
  });

  test('from free accounts share a total, half of the rest each; buyers are exempt', async () => {
    for (const who of ['bob', 'cy']) {
      world.person(who);
      world.account(`of-${who}`, { [who]: 'owner' });
    }
    expect(await invited('acme', 'ann', people('a', 40), 20)).toBe(10);
    expect(await invited('of-bob', 'bob', people('b', 40), 20)).toBe(5);
    database.rows("UPDATE accounts SET has_bought = 1 WHERE id = 'of-cy' RETURNING id");
    expect(await invited('of-cy', 'cy', people('c', 40), 20)).toBe(40);
  });

  test('count only if they are sent', async () => {
    expect(await invited('acme', 'ann', Array(9).fill('ann@x.test'))).toBe(0);
    expect(
      await invited(
        'acme',
        'nobody',
        many(9, (n) => `x${n}@own.example`),
      ),
    ).toBe(0);
    expect(database.rows('SELECT * FROM mails')).toEqual([]);
  });
});

test('counts are kept for a day', async () => {
  await linked(['a@own.example']);
  await database.db.prepare(DROP_OLD_MAILS).run();
  expect(database.rows('SELECT pool FROM mails')).toEqual([{ pool: 'links for strangers' }]);
  database.pass(DAY_MS + 1);
  await database.db.prepare(DROP_OLD_MAILS).run();
  expect(database.rows('SELECT pool FROM mails')).toEqual([]);
});
