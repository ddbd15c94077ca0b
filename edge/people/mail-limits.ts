import { NOW_MS } from '../ledger/clock.ts';

// How much mail is sent at the request of people we do not know, counted over a day, as mail services count theirs. A
// mailbox is identified the way its provider reads the address (`mailboxOf`), so that tags and dots make no other
// mailbox. A day's mails have two shares: half are for strangers and for invitations by accounts that have not bought,
// the rest stay with the members of accounts, whom accounts that have bought invited among them.
//
// Each party, a network or an account, gets another mail only while it has had fewer than are left, of the strangers'
// share or of the day: a single one gets half, and the next one finds as much. Anyone can ask for a member's link.

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
  /** All mails of a day. */
  readonly day: number;
};

const toMailbox = (pool: Pool, mailbox: string): string => `(
  SELECT count(*) FROM mails WHERE mailbox = ${mailbox} AND pool = '${pool}' AND at > ${NOW_MS} - ${HOUR_MS}) < ${TO_MAILBOX}`;
const OF_DAY = `FROM mails WHERE at > ${NOW_MS} - ${DAY_MS}`;
const BY_STRANGERS = `${OF_DAY} AND pool IN ('${STRANGERS}', '${INVITATIONS}')`;
const hasShare = (share: string, total: string, among = BY_STRANGERS): string =>
  `(SELECT count(*) ${among} AND share = ${share}) < ${total} - (SELECT count(*) ${among})`;

/**
 * Binds ?1 email, ?2 mailbox, ?3 share, ?4 total, ?5 the most unused links, ?6 the invitation or null, ?7 day. Members
 * are limited by their number of unused links, which needs no mailbox; those that accept something else do not count.
 */
const COUNT_LINK = `
  INSERT INTO mails (at, pool, mailbox, share)
  SELECT ${NOW_MS}, iif(known.n > 0, '${MEMBERS}', '${STRANGERS}'), ?2, ?3
    FROM (SELECT (SELECT count(*) FROM people p JOIN memberships m ON m.person_id = p.id WHERE p.email = ?1)
               + (SELECT count(*) FROM invitations i JOIN accounts a ON a.id = i.account_id
                   WHERE i.id = ?6 AND i.email = ?1 AND a.has_bought = 1) AS n) known
   WHERE (SELECT count(*) FROM mailed_links WHERE email = ?1 AND invitation_id IS ?6 AND expires_at > ${NOW_MS}) < ?5
     AND iif(known.n > 0, ${hasShare('?3', '?7', OF_DAY)}, ${toMailbox(STRANGERS, '?2')} AND ${hasShare('?3', '?4')})`;

const IS_FULL = `
  SELECT (SELECT count(*) ${BY_STRANGERS}) >= ?1 OR (SELECT count(*) ${OF_DAY}) >= ?2 AS isFull`;
const MAY_HAVE = `SELECT ${hasShare('?1', '?2')} AS mayHave`;
/** SQL: deletes mails that no longer count. */
export const DROP_OLD_MAILS = `DELETE FROM mails WHERE at < ${NOW_MS} - ${DAY_MS}`;

/**
 * The statement that counts the mail of a sign-in link: it writes one row, or none if no mail may be sent.
 * @param waiting the most unused links of its kind that may be in the mailbox
 * @param invitationId of the invitation that it also accepts, or null
 */
export function countLink(
  db: D1Database,
  email: string,
  { mailbox, share, total, day }: Sent,
  waiting: number,
  invitationId: string | null,
): D1PreparedStatement {
  return db.prepare(COUNT_LINK).bind(email, mailbox, share, total, waiting, invitationId, day);
}

/**
 * SQL that counts the mail of an invitation in the same way.
 * @param account SQL that says whether its account has bought
 * @param allowed further conditions
 */
export const countInvitation = (
  { account, mailbox, share, total, day }: Readonly<Record<'account' | keyof Sent, string>>,
  allowed: string,
): string => `
  INSERT INTO mails (at, pool, mailbox, share)
  SELECT ${NOW_MS}, '${INVITATIONS}', ${mailbox}, ${share}
   WHERE ${toMailbox(INVITATIONS, mailbox)} AND ${allowed}
     AND iif((SELECT has_bought FROM accounts WHERE id = ${account}) = 1, ${hasShare(share, day, OF_DAY)}, ${hasShare(share, total)})`;

/** Whether strangers received their share of the last day's mails, or all together all of them. */
export async function areUsedUp(db: D1Database, { total, day }: Pick<Sent, 'total' | 'day'>): Promise<boolean> {
  return (await db.prepare(IS_FULL).bind(total, day).first<number>('isFull')) === 1;
}

/** Whether a stranger in this network may get a mail now, in any mailbox. */
export async function strangersMayHave(
  db: D1Database,
  { share, total }: Pick<Sent, 'share' | 'total'>,
): Promise<boolean> {
  return (await db.prepare(MAY_HAVE).bind(share, total).first<number>('mayHave')) === 1;
}
