import { expect, test } from 'vitest';
import type { Mailer } from '../mail/mailer.ts';
import { peopleIn } from '../testing/people-in.ts';
import { openTestDatabase } from '../testing/sqlite-d1.ts';
import { sendNotices } from './notices.ts';

const YEAR_MS = 365 * 86_400_000;
const CLAIM_MS = 11 * 60_000;

/** An account with two owners that is short of credits. @param fails mailboxes that refuse our mail */
function world(fails: readonly string[]) {
  const database = openTestDatabase();
  const people = peopleIn(database);
  people.person('ann');
  people.person('bob');
  people.account('acme', { ann: 'owner', bob: 'owner' });
  const expiresAt = database.now() + YEAR_MS;
  database.rows(`UPDATE accounts SET low_balance_at = 50, expires_at = ${expiresAt} WHERE id = 'acme'`);
  const sent: string[] = [];
  const mailer: Mailer = {
    send: async ({ to }) => {
      if (fails.includes(to)) throw new Error('the mailbox is gone');
      sent.push(to);
    },
  };
  const turn = async (): Promise<readonly string[]> => {
    sent.length = 0;
    await sendNotices(database.db, database.db, mailer, 'https://verify.test');
    database.pass(CLAIM_MS);
    return [...sent];
  };
  return { turn };
}

test("one owner's failing mail does not stop another's, and no mail is sent twice", async () => {
  const { turn } = world(['bob@x.test']);
  expect([await turn(), await turn(), await turn()]).toEqual([['ann@x.test'], [], []]);
});

test('a notice is retried if none of its mails went out', async () => {
  const failing = ['ann@x.test', 'bob@x.test'];
  const { turn } = world(failing);
  expect(await turn()).toEqual([]);
  failing.length = 0;
  expect(await turn()).toEqual(['ann@x.test', 'bob@x.test']);
});
