import { NOW_MS } from '../ledger/clock.ts';

// How much mail is sent at the request of people we do not know, counted over a day, as mail services count theirs. A
// mailbox is identified the way its provider reads the address (`mailboxOf`), so that tags and dots make no other
// mailbox. What strangers use up costs no one else: half of a day's mails stay with the members of accounts.
//
// Strangers share a total, by network; free accounts share another for their invitations, by account. Each gets another
// mail only while it has had fewer than are left: a single one gets half, and the next one finds as much. A network is
// part of wider ones, and one party may easily have many small networks in a wide one: so each level has its own share.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The most mails to one mailbox in an hour: links for strangers, and separately invitations. */
const TO_MAILBOX = 5;

/** The pool that a mail counts against. Only the first two have shares. */
type Pool = typeof STRANGERS | typeof INVITATIONS | typeof MEMBERS;
const STRANGERS = 'links for strangers';
const INVITATIONS = 'invitations';
const MEMBERS = 'links for members';

/** Whose share a mail counts against, and where it goes: keyed hashes, kept for a day. */
export type Sent = {
  /** Hash of the mailbox. */
  readonly mailbox: string;
  /** The inviting account, or the network of the request after those that contain it: `WIDER.NARROWER`. */
  readonly share: string;
  /** The daily total of all shares together. */
  readonly total: number;
};

const thisHour = `at > ${NOW_MS} - ${HOUR_MS}`;
const since = `at > ${NOW_MS} - ${DAY_MS}`;
const toMailbox = (pool: Pool, mailbox: string): string => `(
  SELECT count(*) FROM mails WHERE mailbox = ${mailbox} AND pool = '${pool}' AND ${thisHour}) < ${TO_MAILBOX}`;
const hasShare = (pool: Pool, share: string, total: string): string => `(
  SELECT count(*) FROM mails WHERE pool = '${pool}' AND share = ${share} AND ${since})
    < ${total} - (SELECT count(*) FROM mails WHERE pool = '${pool}' AND ${since})`;

/**
 * The part of the remainder that networks may hold, the narrowest first: that one gets a fifth, the one around it a
 * third, and the widest, of which no one has many, half.
 */
const PARTS = [1 / 4, 1 / 2, 1] as const;

/** The networks of a share, the narrowest first, each with its part. */
function networksOf(share: string): ReadonlyArray<readonly [network: string, part: number]> {
  const steps = share.split('.');
  return PARTS.slice(-steps.length).map((part, at) => [steps.slice(0, steps.length - at).join('.'), part] as const);
}

/** SQL: whether each of these networks, as JSON from `networksOf`, may have one more. */
const haveShares = (total: string, networks: string): string => `NOT EXISTS (
  SELECT 1 FROM json_each(${networks}) network
   WHERE (SELECT count(*) FROM mails m
           WHERE m.pool = '${STRANGERS}' AND m.${since}
             AND substr(m.share, 1, length(network.value ->> 0)) = network.value ->> 0)
      >= (network.value ->> 1) * (${total} - (SELECT count(*) FROM mails WHERE pool = '${STRANGERS}' AND ${since})))`;

/**
 * Binds ?1 email, ?2 mailbox, ?3 share, ?4 total, ?6 its networks. Members are limited by their number of unused links,
 * which needs no mailbox.
 */
const COUNT_LINK = `
  INSERT INTO mails (at, pool, mailbox, share)
  SELECT ${NOW_MS}, iif(known.n > 0, '${MEMBERS}', '${STRANGERS}'), ?2, ?3
    FROM (SELECT count(*) AS n FROM people p JOIN memberships m ON m.person_id = p.id WHERE p.email = ?1) known
   WHERE (SELECT count(*) FROM mailed_links WHERE email = ?1 AND invitation_id IS NULL AND expires_at > ${NOW_MS}) < ?5
     AND (known.n > 0 OR (${toMailbox(STRANGERS, '?2')} AND ${haveShares('?4', '?6')}))`;

const IS_FULL = `
  SELECT count(*) >= ?1 AS isFull FROM mails WHERE pool = '${STRANGERS}' AND ${since}`;
const MAY_HAVE = `SELECT ${haveShares('?1', '?2')} AS mayHave`;
const DROP = `DELETE FROM mails WHERE at < ${NOW_MS} - ${DAY_MS}`;

/**
 * The statement that counts the mail of a sign-in link: it writes one row, or none if no mail may be sent.
 * @param waiting the most unused links that may be in the mailbox
 */
export function countLink(db: D1Database, email: string, sent: Sent, waiting: number): D1PreparedStatement {
  const { mailbox, share, total } = sent;
  return db.prepare(COUNT_LINK).bind(email, mailbox, share, total, waiting, JSON.stringify(networksOf(share)));
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
     AND (EXISTS (SELECT 1 FROM accounts WHERE id = ${account} AND has_bought = 1)
          OR ${hasShare(INVITATIONS, share, total)})`;

/** Whether strangers received this many mails in the last day. */
export async function strangersHad(db: D1Database, mails: number): Promise<boolean> {
  return (await db.prepare(IS_FULL).bind(mails).first<number>('isFull')) === 1;
}

/** Whether a stranger in the networks of this share may get a mail now, in any mailbox. */
export async function strangersMayHave(db: D1Database, { share, total }: Omit<Sent, 'mailbox'>): Promise<boolean> {
  return (
    (await db
      .prepare(MAY_HAVE)
      .bind(total, JSON.stringify(networksOf(share)))
      .first<number>('mayHave')) === 1
  );
}

/** Deletes mails that no longer count. */
export async function dropOldMails(db: D1Database): Promise<void> {
  await db.prepare(DROP).run();
}
