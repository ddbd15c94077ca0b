import { NOW_MS } from '../ledger/clock.ts';

// How much mail goes out on the word of people whom we do not know, counted over an hour. A mailbox is known by what its
// provider reads (`mailboxOf`), so that tags and dots are no other mailbox. What strangers use up nobody else misses: who
// belongs to an account gets their link all the same.
//
// Strangers share a total, by network; free accounts share another for their invitations, by account. Each takes a
// further piece only while it holds fewer than are left: alone it gets half, and the next one finds as much. A network is
// part of wider ones, and it is easy to have many of those in one: each is held to its part.

const HOUR_MS = 3_600_000;
/** The most mails to one mailbox in an hour: links for strangers, and apart from them invitations. */
const TO_MAILBOX = 5;

/** What a mail is counted as. Only the first two are shared out. */
type Pool = typeof STRANGERS | typeof INVITATIONS | typeof MEMBERS;
const STRANGERS = 'links for strangers';
const INVITATIONS = 'invitations';
const MEMBERS = 'links for members';

/** Whose share a mail comes off, and where it goes: keyed hashes, for an hour. */
export type Sent = {
  /** Of the mailbox. */
  readonly mailbox: string;
  /** The account that invites, or the network that asks behind the wider ones that it is in: `WIDER.NARROWER`. */
  readonly share: string;
  /** The most in an hour that all shares have together. */
  readonly total: number;
};

const since = `at > ${NOW_MS} - ${HOUR_MS}`;
const toMailbox = (pool: Pool, mailbox: string): string => `(
  SELECT count(*) FROM mails WHERE mailbox = ${mailbox} AND pool = '${pool}' AND ${since}) < ${TO_MAILBOX}`;
const hasShare = (pool: Pool, share: string, total: string): string => `(
  SELECT count(*) FROM mails WHERE pool = '${pool}' AND share = ${share} AND ${since})
    < ${total} - (SELECT count(*) FROM mails WHERE pool = '${pool}' AND ${since})`;

/**
 * The part of what is left that networks may hold, the narrowest first: it alone gets a fifth, the one around it a third,
 * and the widest, of which nobody has many, half.
 */
const PARTS = [1 / 4, 1 / 2, 1] as const;

/** The networks of a share, the narrowest first, each with its part. */
function networksOf(share: string): ReadonlyArray<readonly [network: string, part: number]> {
  const steps = share.split('.');
  return PARTS.slice(-steps.length).map((part, at) => [steps.slice(0, steps.length - at).join('.'), part] as const);
}

/** SQL: whether each of these networks, as `networksOf` has them in JSON, may have one more. */
const haveShares = (total: string, networks: string): string => `NOT EXISTS (
  SELECT 1 FROM json_each(${networks}) network
   WHERE (SELECT count(*) FROM mails m
           WHERE m.pool = '${STRANGERS}' AND m.${since}
             AND substr(m.share, 1, length(network.value ->> 0)) = network.value ->> 0)
      >= (network.value ->> 1) * (${total} - (SELECT count(*) FROM mails WHERE pool = '${STRANGERS}' AND ${since})))`;

/** Binds ?1 email, ?2 mailbox, ?3 share, ?4 total, ?6 its networks. A member's own limit is how many links wait, which asks for no mailbox. */
const COUNT_LINK = `
  INSERT INTO mails (at, pool, mailbox, share)
  SELECT ${NOW_MS}, iif(known.n > 0, '${MEMBERS}', '${STRANGERS}'), ?2, ?3
    FROM (SELECT count(*) AS n FROM people p JOIN memberships m ON m.person_id = p.id WHERE p.email = ?1) known
   WHERE (SELECT count(*) FROM mailed_links WHERE email = ?1 AND invitation_id IS NULL AND expires_at > ${NOW_MS}) < ?5
     AND (known.n > 0 OR (${toMailbox(STRANGERS, '?2')} AND ${haveShares('?4', '?6')}))`;

const IS_FULL = `
  SELECT count(*) >= ?1 AS isFull FROM mails WHERE pool = '${STRANGERS}' AND ${since}`;
const MAY_HAVE = `SELECT ${haveShares('?1', '?2')} AS mayHave`;
const DROP = `DELETE FROM mails WHERE at < ${NOW_MS} - ${HOUR_MS}`;

/**
 * The statement that counts the mail of a sign-in link: it writes one row, or none if no mail may go out.
 * @param waiting the most unused links that may wait in the mailbox
 */
export function countLink(db: D1Database, email: string, sent: Sent, waiting: number): D1PreparedStatement {
  const { mailbox, share, total } = sent;
  return db.prepare(COUNT_LINK).bind(email, mailbox, share, total, waiting, JSON.stringify(networksOf(share)));
}

/**
 * SQL that counts the mail of an invitation, the same way.
 * @param account whether its account has bought is looked up by this
 * @param allowed what else must hold
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

/** Whether strangers have had this many mails in the last hour. */
export async function strangersHad(db: D1Database, mails: number): Promise<boolean> {
  return (await db.prepare(IS_FULL).bind(mails).first<number>('isFull')) === 1;
}

/** Whether a stranger in the networks of this share may have a mail now, whatever the mailbox. */
export async function strangersMayHave(db: D1Database, { share, total }: Omit<Sent, 'mailbox'>): Promise<boolean> {
  return (
    (await db
      .prepare(MAY_HAVE)
      .bind(total, JSON.stringify(networksOf(share)))
      .first<number>('mayHave')) === 1
  );
}

/** Forgets mails that count no longer. */
export async function dropOldMails(db: D1Database): Promise<void> {
  await db.prepare(DROP).run();
}
