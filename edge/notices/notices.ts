import { NOW_MS, TODAY } from '../ledger/clock.ts';
import { beginsAfter, endTurn } from '../ledger/turns.ts';
import { describe, log } from '../base/log.ts';
import { logUnsent, type Mail, type Mailer } from '../mail/mailer.ts';
import { expiryMail, formDayMail, lowBalanceMail } from '../mail/texts.ts';

// Mails about an account's credits: when they drop below what its owners chose, or a tenth of the last purchase; 30 and
// 7 days before they expire; and when a form has used up its day, once a day. A run looks at a bounded number of accounts and goes on where
// the last one ended. A notice is claimed before it is sent, so of two Workers only one sends it. A claim not followed
// by any mail, because sending failed or the Worker died, lapses after some minutes.

const DAY_MS = 86_400_000;
const NOTICES_PER_TURN = 20;
const ACCOUNTS_PER_TURN = 2_000;
const CLAIM_MS = 10 * 60_000;

/** SQL: open batches do not count as spent: much of their hold may be returned. */
const HELD = `(SELECT coalesce(sum(h.credits), 0) FROM holds h WHERE h.account_id = a.id AND h.closed_by IS NULL)`;

/** SQL: form keys that have used up the credits of a day, of an account. */
const usedUp = (account: string, day: string): string => `
  usage_days u CROSS JOIN api_keys k ON k.id = u.key_id AND k.kind = 'form' AND u.charged >= k.form ->> 'creditsPerDay'
   WHERE u.account_id = ${account} AND u.day = ${day}`;

/** SQL: the accounts that a run looks at. */
const LOOKED_AT = `
  SELECT id, expires_at, balance, coalesce(low_balance_at, last_pack / 10) AS low_balance_at FROM accounts WHERE id > ${beginsAfter('notices')}
   ORDER BY id LIMIT ${ACCOUNTS_PER_TURN}`;
const LAST = `SELECT count(*) AS accounts, max(id) AS last FROM (${LOOKED_AT})`;

/**
 * SQL: the notices due for them. Close to its expiry, only that is mentioned. In the directory, accounts that are in
 * another database have no credits, and nothing that expires.
 */
const DUE = `
  SELECT a.id, a.expires_at, 'low_balance' AS kind FROM looked_at a
   WHERE a.low_balance_at > a.balance AND a.expires_at > ${NOW_MS} AND a.balance + ${HELD} < a.low_balance_at
   UNION ALL
  SELECT a.id, a.expires_at, iif(a.expires_at > ${NOW_MS} + ${7 * DAY_MS}, 'expires_in_30', 'expires_in_7')
    FROM looked_at a
   WHERE a.balance > 0 AND a.expires_at > ${NOW_MS} AND a.expires_at <= ${NOW_MS} + ${30 * DAY_MS}
   UNION ALL
  SELECT a.id, ${TODAY} * ${DAY_MS}, 'form_day' FROM looked_at a WHERE EXISTS (SELECT 1 FROM ${usedUp('a.id', TODAY)})`;

const CLAIM = `
  INSERT INTO notices (account_id, kind, expires_at, sent_at, claimed_at)
  WITH looked_at AS MATERIALIZED (${LOOKED_AT})
  SELECT d.id, d.kind, d.expires_at, 0, ${NOW_MS} FROM (${DUE}) d
   WHERE (?1 = 0 OR EXISTS (SELECT 1 FROM memberships m WHERE m.account_id = d.id AND m.role = 'owner'))
     AND NOT EXISTS (
       SELECT 1 FROM notices n
        WHERE n.account_id = d.id AND n.kind = d.kind AND n.expires_at = d.expires_at
          AND (n.sent_at > 0 OR n.claimed_at > ${NOW_MS} - ${CLAIM_MS}))
   LIMIT ${NOTICES_PER_TURN}
      ON CONFLICT (account_id, kind, expires_at) DO UPDATE SET claimed_at = excluded.claimed_at
  RETURNING account_id AS accountId, kind, expires_at AS expiresAt`;

const OWNERS = `
  SELECT p.email, a.name FROM memberships m
    JOIN people p ON p.id = m.person_id JOIN accounts a ON a.id = m.account_id
   WHERE m.account_id = ?1 AND m.role = 'owner' LIMIT 50`;

const BALANCE = 'SELECT balance FROM accounts WHERE id = ?1';
const FORMS = `SELECT k.label FROM ${usedUp('?1', '?2')} ORDER BY k.label`;
const SENT = `UPDATE notices SET sent_at = ${NOW_MS} WHERE account_id = ?1 AND kind = ?2 AND expires_at = ?3`;

type Notice = {
  readonly accountId: string;
  readonly kind: 'low_balance' | 'expires_in_30' | 'expires_in_7' | 'form_day';
  readonly expiresAt: number;
};
type Owner = { readonly email: string; readonly name: string };

/**
 * One run: mails the due notices of one database's accounts; the directory knows their owners.
 * @param origin of the pages
 * @returns how many notices were sent
 */
export async function sendNotices(
  directory: D1Database,
  db: D1Database,
  mailer: Mailer,
  origin: string,
): Promise<number> {
  let sent = 0;
  for (const notice of await claim(db, db === directory)) {
    try {
      const owners = await directory.prepare(OWNERS).bind(notice.accountId).all<Owner>();
      const balance = (await db.prepare(BALANCE).bind(notice.accountId).first<number>('balance')) ?? 0;
      const forms = await readForms(db, notice);
      const mails = owners.results.map((owner) => mailOf(notice, { ...owner, balance, forms }, origin));
      if (!(await sendAny(mailer, mails, notice))) continue;
      await db.prepare(SENT).bind(notice.accountId, notice.kind, notice.expiresAt).run();
      sent += 1;
    } catch (error) {
      log('error', 'notice_failed', { accountId: notice.accountId, kind: notice.kind, ...describe(error) });
    }
  }
  return sent;
}

/** Claims due notices of the next accounts; where there may be more of them, the next run looks at the same accounts. */
async function claim(db: D1Database, isDirectory: boolean): Promise<readonly Notice[]> {
  const last = await db.prepare(LAST).first<{ accounts: number; last: string }>();
  const { results } = await db
    .prepare(CLAIM)
    .bind(isDirectory ? 1 : 0)
    .all<Notice>();
  if (results.length < NOTICES_PER_TURN && last !== null)
    await endTurn(db, 'notices', last.accounts < ACCOUNTS_PER_TURN ? '' : last.last).run();
  return results;
}

/** The names of the forms that a notice is about. */
async function readForms(db: D1Database, { accountId, kind, expiresAt }: Notice): Promise<readonly string[]> {
  if (kind !== 'form_day') return [];
  const { results } = await db
    .prepare(FORMS)
    .bind(accountId, expiresAt / DAY_MS)
    .all<{ label: string }>();
  return results.map(({ label }) => label);
}

/** One owner's failing mail does not stop another's, and none is sent twice. @returns false if none was sent */
async function sendAny(mailer: Mailer, mails: readonly Mail[], { accountId, kind }: Notice): Promise<boolean> {
  let sent = mails.length === 0;
  for (const mail of mails)
    try {
      await mailer.send(mail);
      sent = true;
    } catch (error) {
      logUnsent('notice_failed', { accountId, kind }, error);
    }
  return sent;
}

function mailOf(
  { kind, expiresAt }: Notice,
  { email, name, balance, forms }: Owner & { readonly balance: number; readonly forms: readonly string[] },
  origin: string,
): Mail {
  switch (kind) {
    case 'low_balance':
      return lowBalanceMail(origin, email, name, balance);
    case 'expires_in_30':
    case 'expires_in_7':
      return expiryMail(origin, email, name, balance, expiresAt);
    case 'form_day':
      return formDayMail(origin, email, name, forms);
  }
}
