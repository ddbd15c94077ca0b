import type { NoGift } from '../../schema/pages-api.ts';
import type { Config } from '../base/config.ts';
import { keyedHash } from '../base/keyed-hash.ts';
import { TODAY } from '../ledger/clock.ts';
import { giveGift } from '../ledger/gift.ts';
import { PROVIDER_DOMAINS } from '../../schema/consumer-domains.ts';
import { mailboxOf } from './mailbox.ts';

// Welcome credits go to a mailbox once, and to a limited number of mailboxes per domain and per day. Only the mailbox's
// HMAC is kept, under a secret that D1 does not have. It stays when the person leaves: otherwise deleting oneself would
// make one new again.

/** What a new person is given, and how that mailbox is recognized. */
export type Welcome = {
  /** HMAC of the mailbox. */
  readonly mailbox: string;
  /** HMAC of its registrable domain; '' for a provider of consumer mailboxes, which millions share. */
  readonly domain: string;
  readonly credits: number;
  readonly perDomain: number;
  readonly perDay: number;
};

/** Services that give one person any number of addresses, under names that identify no one. */
const RELAYS: ReadonlySet<string> = new Set(
  `privaterelay.appleid.com duck.com mozmail.com relay.firefox.com anonaddy.com anonaddy.me addy.io addymail.com
simplelogin.com simplelogin.co simplelogin.fr aleeas.com slmail.me slmails.com silomails.com 8alias.com 8shield.net
dralias.com passmail.net passinbox.com passfwd.com`.split(/\s+/),
);

const RECORD = `
  INSERT INTO welcomed (mailbox, domain, day)
  SELECT ?1, ?2, ${TODAY} FROM people p JOIN accounts a ON a.id = ?4
   WHERE p.id = ?3
     AND (?5 = 0 OR ?2 = '' OR (SELECT count(*) FROM welcomed WHERE domain = ?2) < ?5)
     AND (?6 = 0 OR (SELECT count(*) FROM welcomed WHERE day = ${TODAY}) < ?6)
      ON CONFLICT (mailbox) DO NOTHING`;

/** The gift of an account in another database: right after the statement that decides about it. */
const GIVE_WHEN_OPENED = 'UPDATE accounts SET unopened = ?2 WHERE id = ?1 AND changes() = 1';

const FIND = 'SELECT day FROM welcomed WHERE mailbox = ?1';

/** Whether the mailbox (?1), its domain (?2) and the day on which the person (?3, null: a new one) came have had theirs. */
const HAD = `
  SELECT EXISTS (${FIND}) AS mailbox, ?4 > 0 AND ?2 <> '' AND (SELECT count(*) FROM welcomed WHERE domain = ?2) >= ?4 AS domain,
         ?5 > 0 AND (SELECT count(*) FROM welcomed WHERE day = coalesce(
           (SELECT created_at / 86400000 FROM people WHERE email = ?3), ${TODAY})) >= ?5 AS day`;

/** What the person with this address is to be given when first seen; null if nothing. */
export async function welcomeOf(config: Config, email: string): Promise<Welcome | null> {
  const { WELCOME_CREDITS: credits, WELCOME_SECRET: secret } = config;
  if (credits === 0 || secret === '') return null;
  const mailbox = mailboxOf(email);
  const domain = mailbox.slice(mailbox.lastIndexOf('@') + 1);
  if (await isDisposable(domain)) return null;
  // Subdomains of one's own domain cost nothing.
  const { getDomain } = await import('tldts');
  const owned = PROVIDER_DOMAINS.has(domain) ? '' : (getDomain(domain) ?? domain);
  return {
    mailbox: await hashMailbox(mailbox, secret),
    domain: owned === '' ? '' : await keyedHash(`domain ${owned}`, secret),
    credits,
    perDomain: config.WELCOME_PER_DOMAIN,
    perDay: config.WELCOME_PER_DAY,
  };
}

/**
 * Why whoever reads this mailbox gets no welcome credits; null if they do, or nobody does.
 * @param whose `anyone`: what is said before the mailbox is proven tells nothing of who has been here
 */
export async function whyNoGift(
  db: D1Database,
  config: Config,
  email: string,
  whose: 'anyone' | 'proven',
): Promise<NoGift | null> {
  if (config.WELCOME_CREDITS === 0 || config.WELCOME_SECRET === '') return null;
  const gift = await welcomeOf(config, email);
  if (gift === null) return 'throwaway';
  const isProven = whose === 'proven';
  const had = await db
    .prepare(HAD)
    .bind(gift.mailbox, gift.domain, isProven ? email : null, gift.perDomain, gift.perDay)
    .first<{ readonly mailbox: number; readonly domain: number; readonly day: number }>();
  if (isProven && had?.mailbox === 1) return 'had';
  if (isProven && had?.domain === 1) return 'domain_full';
  return had?.day === 1 ? 'day_full' : null;
}

/**
 * The statements that welcome a person. They belong in the transaction that creates them and opens their account, after
 * it.
 * @param who the ids that the person and the account have if they are new; otherwise no one is welcomed
 */
export function welcome(
  db: D1Database,
  { mailbox, domain, credits, perDomain, perDay }: Welcome,
  { personId, accountId }: { readonly personId: string; readonly accountId: string },
  { nowMs, isRemote }: { readonly nowMs: number; readonly isRemote: boolean },
): readonly D1PreparedStatement[] {
  return [
    db.prepare(RECORD).bind(mailbox, domain, personId, accountId, perDomain, perDay),
    ...(isRemote
      ? [db.prepare(GIVE_WHEN_OPENED).bind(accountId, credits)]
      : giveGift(db, { accountId, credits, nowMs })),
  ];
}

/** On which day (since 1970 UTC) the mailbox of an address was welcomed; null if it was not, or it is unknown. */
export async function welcomedOn(
  db: D1Database,
  { WELCOME_SECRET: secret }: Config,
  email: string,
): Promise<number | null> {
  if (secret === '') return null;
  return db
    .prepare(FIND)
    .bind(await hashMailbox(mailboxOf(email), secret))
    .first<number>('day');
}

function hashMailbox(mailbox: string, secret: string): Promise<string> {
  return keyedHash(`mailbox ${mailbox}`, secret);
}

/** Whether mail to this domain, or a parent of it, is readable by anyone for a few minutes, or is forwarded. */
async function isDisposable(domain: string): Promise<boolean> {
  const { disposableEmailBlocklistSet } = await import('disposable-email-domains-js');
  const listed = disposableEmailBlocklistSet();
  const labels = domain.split('.');
  const above = labels.map((_, at) => labels.slice(at).join('.')).filter((name) => name.includes('.'));
  return above.some((name) => RELAYS.has(name) || (listed.has(name) && !PROVIDER_DOMAINS.has(name)));
}
