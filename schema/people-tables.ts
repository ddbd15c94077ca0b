import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { DISPUTE_STATES, ORDER_STATES, ROLES } from './words/stored.ts';
import { accounts } from './tables.ts';

// Who signs in, and what they buy. No table holds a probed address; these hold the addresses that people sign in with.

/** Somebody who signs in. `email` is the address's identity: see `schema/address.ts`. */
export const people = sqliteTable(
  'people',
  { id: text().primaryKey(), email: text().notNull(), createdAt: integer('created_at').notNull() },
  (t) => [uniqueIndex('people_email').on(t.email)],
);

/**
 * A mailbox that got welcome credits: HMACs of it and of its domain under WELCOME_SECRET, in base64url, and the day. It
 * stays when the person goes.
 */
export const welcomed = sqliteTable(
  'welcomed',
  {
    mailbox: text().primaryKey(),
    /** '' for a provider of consumer mailboxes. */
    domain: text().notNull(),
    day: integer().notNull(),
  },
  (t) => [index('welcomed_domain').on(t.domain), index('welcomed_day').on(t.day)],
);

/** Who belongs to an account. One with people has an owner at every moment. */
export const memberships = sqliteTable(
  'memberships',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    personId: text('person_id')
      .notNull()
      .references(() => people.id),
    role: text({ enum: ROLES }).notNull(),
    joinedAt: integer('joined_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.personId] }), index('memberships_person').on(t.personId)],
);

/** A browser in which somebody is signed in, and the account that it looks at. */
export const sessions = sqliteTable(
  'sessions',
  {
    hash: text().primaryKey(),
    id: text().notNull(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    openedBy: text('opened_by', { enum: ['link', 'passkey'] }).notNull(),
    /** Browser and system in two words, never the header itself. */
    device: text().notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedDay: integer('last_used_day').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [uniqueIndex('sessions_id').on(t.id), index('sessions_person').on(t.personId)],
);

/**
 * Mails that went out in the last hour, for their limits. No address: `mailbox` and `share` (a network or an account) are
 * HMACs under KEY_SECRETS, in base64url.
 */
export const mails = sqliteTable(
  'mails',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    pool: text({ enum: ['links for strangers', 'links for members', 'invitations'] }).notNull(),
    mailbox: text().notNull(),
    share: text().notNull(),
  },
  (t) => [index('mails_mailbox').on(t.mailbox, t.at), index('mails_pool').on(t.pool, t.at)],
);

/** A mailed link that nobody has used. */
export const mailedLinks = sqliteTable(
  'mailed_links',
  {
    hash: text().primaryKey(),
    email: text().notNull(),
    /** The invitation that it also accepts. */
    invitationId: text('invitation_id'),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('mailed_links_email').on(t.email, t.createdAt)],
);

export const invitations = sqliteTable(
  'invitations',
  {
    id: text().primaryKey(),
    /** Of the token in its link. */
    hash: text().notNull(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    email: text().notNull(),
    role: text({ enum: ROLES }).notNull(),
    invitedBy: text('invited_by')
      .notNull()
      .references(() => people.id),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [uniqueIndex('invitations_email').on(t.accountId, t.email), uniqueIndex('invitations_hash').on(t.hash)],
);

/** A WebAuthn credential: the public half, as the authenticator gave it. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: text().primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id),
    label: text().notNull(),
    publicKey: text('public_key').notNull(),
    algorithm: text().notNull(),
    transports: text().notNull(),
    /** The authenticator's signature counter; 0 if it keeps none. */
    counter: integer().notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at').notNull().default(0),
  },
  (t) => [index('passkeys_person').on(t.personId)],
);

/** What a passkey has to sign: good once, for a few minutes. `personId` is who adds a passkey; null at sign-in. */
export const challenges = sqliteTable('challenges', {
  hash: text().primaryKey(),
  personId: text('person_id'),
  expiresAt: integer('expires_at').notNull(),
});

/**
 * What was ordered; its id is the purchase's id in the ledger. Credits and amount are what was offered when it was
 * ordered, and what is booked.
 */
export const orders = sqliteTable(
  'orders',
  {
    id: text().primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Null once that person is deleted. */
    personId: text('person_id').references(() => people.id),
    credits: integer().notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    state: text({ enum: ORDER_STATES }).notNull(),
    createdAt: integer('created_at').notNull(),
    paidAt: integer('paid_at'),
    /** Stripe's names for its checkout and for what paid it. */
    checkoutId: text('checkout_id'),
    paymentId: text('payment_id'),
    /** What Stripe gave back of the payment in all, with its tax. */
    refunded: integer().notNull().default(0),
    /** Null: never disputed. */
    dispute: text({ enum: DISPUTE_STATES }),
    /** When Stripe was last asked about it. */
    askedAt: integer('asked_at').notNull(),
  },
  (t) => [
    check('order_positive', sql`${t.credits} > 0 and ${t.amount} > 0`),
    check('paid_with_time', sql`(${t.state} = 'paid') = (${t.paidAt} is not null)`),
    index('orders_account').on(t.accountId, t.createdAt),
    index('orders_open')
      .on(t.askedAt)
      .where(sql`state = 'open'`),
    index('orders_payment').on(t.paymentId),
    index('orders_created').on(t.createdAt, t.id),
  ],
);
