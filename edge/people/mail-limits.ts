import { NOW_MS } from '../ledger/clock.ts';

// How much mail is sent at the request of people we do not know, counted over a day, as mail services count theirs. A
// mailbox is identified the way its provider reads the address (`mailboxOf`), so that tags and dots make no other
// mailbox. A day's mails have two shares: half are for strangers and for invitations by accounts that have not bought,
// the rest stay with the members of accounts, whatever strangers ask for.
//
// Each party among the strangers, a network or an account, gets another mail only while it has had fewer than are left:
// a single one gets half, and the next one finds as much.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The most mails to one mailbox in an hour: links for strangers, and separately invitations. */
const TO_MAILBOX = 5;

/** What a mail is counted as. The first two are of the strangers' share. */
type Pool = typeof STRANGERS | typeof INVITATIONS | typeof MEMBERS;
const STRANGERS = 'links for strangers';
const INVITATIONS = 'invitations';
const MEMBERS = 'links for members';

/** Who caused a mail, and where it goes: keyed hashes, kept for a day. */
export type Sent = {
  /** Hash of the mailbox. */
  readonly mailbox: string;
  /** Hash of the inviting account, or of the network of the request. */
  readonly share: string;
  /** The strangers' share of a day. */
  readonly total: number;
};

const toMailbox = (pool: Pool, mailbox: string): string => `(
  SELECT count(*) FROM mails WHERE mailbox = ${mailbox} AND pool = '${pool}' AND at > ${NOW_MS} - ${HOUR_MS}) < ${TO_MAILBOX}`;
const BY_STRANGERS = `FROM mails WHERE pool IN ('${STRANGERS}', '${INVITATIONS}') AND at > ${NOW_MS} - ${DAY_MS}`;
const hasShare = (share: string, total: string): string =>
  `(SELECT count(*) ${BY_STRANGERS} AND share = ${share}) < ${total} - (SELECT count(*) ${BY_STRANGERS})`;

/**
 * Binds ?1 email, ?2 mailbox, ?3 share, ?4 total, ?5 the most unused links. Members are limited by their number of
 * unused links, which needs no mailbox.
 */
const COUNT_LINK = `
  INSERT INTO mails (at, pool, mailbox, share)
  SELECT ${NOW_MS}, iif(known.n > 0, '${MEMBERS}', '${STRANGERS}'), ?2, ?3
    FROM (SELECT count(*) AS n FROM people p JOIN memberships m ON m.person_id = p.id WHERE p.email = ?1) known
   WHERE (SELECT count(*) FROM mailed_links WHERE email = ?1 AND expires_at > ${NOW_MS}) < ?5
     AND (known.n > 0 OR (${toMailbox(STRANGERS, '?2')} AND ${hasShare('?3', '?4')}))`;

const IS_FULL = `SELECT count(*) >= ?1 AS isFull ${BY_STRANGERS}`;
const MAY_HAVE = `SELECT ${hasShare('?1', '?2')} AS mayHave`;
const DROP = `DELETE FROM mails WHERE at < ${NOW_MS} - ${DAY_MS}`;

/**
 * The statement that counts the mail of a sign-in link: it writes one row, or none if no mail may be sent.
 * @param waiting the most unused links that may be in the mailbox
 */
export function countLink(db: D1Database, email: string, sent: Sent, waiting: number): D1PreparedStatement {
  return db.prepare(COUNT_LINK).bind(email, sent.mailbox, sent.share, sent.total, waiting);
}

/**
 * SQL that counts the mail of an invitation in the same way.
 * @param account SQL that says whether its account has bought
 * @param allowed further conditions
 */
export const countInvitation = (
  { account, mailbox, share, total }: Readonly<Record<'account' | 'mailbox' | 'share' | 'total', string>>,
  allowed: string,
): string => `
  INSERT INTO mails (at, pool, mailbox, share)
  SELECT ${NOW_MS}, '${INVITATIONS}', ${mailbox}, ${share}
   WHERE ${toMailbox(INVITATIONS, mailbox)} AND ${allowed}
     AND (EXISTS (SELECT 1 FROM accounts WHERE id = ${account} AND has_bought = 1) OR ${hasShare(share, total)})`;

/** Whether strangers received this many mails in the last day. */
export async function strangersHad(db: D1Database, mails: number): Promise<boolean> {
  return (await db.prepare(IS_FULL).bind(mails).first<number>('isFull')) === 1;
}

/** Whether a stranger in this network may get a mail now, in any mailbox. */
export async function strangersMayHave(db: D1Database, { share, total }: Omit<Sent, 'mailbox'>): Promise<boolean> {
  return (await db.prepare(MAY_HAVE).bind(share, total).first<number>('mayHave')) === 1;
}

/** Deletes mails that no longer count. */
export async function dropOldMails(db: D1Database): Promise<void> {
  await db.prepare(DROP).run();
}
