import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { CALL_RINGS, HOST_STATES, KEY_KINDS, LEDGER_KINDS } from './words/stored.ts';

// What D1 holds; people and orders are in people-tables.ts. No probed address and no domain of one is ever in it; the addresses by which people sign in
// are, and can be exported and deleted. Times are milliseconds since 1970 UTC, days are whole days since 1970 UTC,
// credits are whole numbers, amounts are whole minor units (cents). Everything that grants access (keys, sessions, mailed
// links, challenges) stands here as its SHA-256 alone.
// The tables of money are STRICT and WITHOUT ROWID: credits cannot become text, and an insert writes (and costs) one
// row less. drizzle-kit has no word for it, so a migration that makes such a table gets the words by hand.

export const accounts = sqliteTable(
  'accounts',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** Always the sum of the account's ledger rows; written only together with one. Reads as 0 after `expiresAt`. */
    balance: integer().notNull().default(0),
    /** 12 months after the last purchase; 0 before the first. */
    expiresAt: integer('expires_at').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    /** Its owners get a mail when the balance falls below this; 0: none; null: below a tenth of `lastPack`. */
    lowBalanceAt: integer('low_balance_at'),
    /** The credits of the latest purchase; 0: none was booked in this database. */
    lastPack: integer('last_pack').notNull().default(0),
    /** 1 once credits were bought, or granted by an operator, and for good; a gift leaves it. It is the account's class. */
    hasBought: integer('has_bought').notNull().default(0),
    /** The number of the database that has its money, keys and ledger; null: this one. */
    database: integer(),
    /** While it is still to be opened there: the welcome credits that it is to be opened with, or 0. Null otherwise. */
    unopened: integer(),
  },
  (t) => [
    check('balance_not_negative', sql`${t.balance} >= 0`),
    check('credits_where_its_ledger_is', sql`${t.database} is null or ${t.balance} = 0`),
  ],
);

/**
 * An API key: only its SHA-256 is here, but for a form's key, which is public. `id` names it to operators, `hint` is its last four characters. A page's key
 * belongs to a session, and goes with it.
 */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    hash: text().primaryKey(),
    id: text().notNull(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    label: text().notNull(),
    hint: text().notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedDay: integer('last_used_day').notNull().default(0),
    kind: text({ enum: KEY_KINDS }).notNull().default('live'),
    /** 0: never. */
    expiresAt: integer('expires_at').notNull().default(0),
    sessionId: text('session_id'),
    /** Who made it: a person's id. Null for an operator and somebody who was deleted. */
    madeBy: text('made_by'),
    /** Of a form's key: the key itself and its settings, as JSON (`edge/form/form-key.ts`). */
    form: text(),
    /** Of a live key: the credits that it may spend a day, and a month (UTC); null: any number. */
    dayCap: integer('day_cap'),
    monthCap: integer('month_cap'),
  },
  (t) => [
    uniqueIndex('api_keys_id').on(t.id),
    index('api_keys_account').on(t.accountId),
    index('api_keys_session')
      .on(t.sessionId)
      .where(sql`session_id is not null`),
    index('api_keys_maker')
      .on(t.madeBy)
      .where(sql`made_by is not null`),
  ],
);

/**
 * The credits of a batch in progress. `closedBy` is 'settle', or 'sweep' if a sweep returned it whole; null
 * while open. A closed one stays for 7 days, and as long its
 * batch's ledger rows stand one by one: see `edge/ledger/close-books.ts`.
 */
export const holds = sqliteTable(
  'holds',
  {
    id: text().primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    credits: integer().notNull(),
    /** How many addresses are probed: fewer than `credits` if entries are charged. */
    addresses: integer().notNull().default(0),
    openedAt: integer('opened_at').notNull(),
    /** When a sweep may return it: batch deadline plus grace. */
    expiresAt: integer('expires_at').notNull(),
    closedBy: text('closed_by'),
    /** Null in an open hold. */
    closedAt: integer('closed_at'),
    returned: integer(),
    /** The same in all requests of one list: of their Idempotency-Keys, a keyed hash of what stands before the number. */
    list: text(),
    // What the log of an account's calls says of it.
    /** The key's id; `page` for the pages' own. Null once the account was deleted. */
    keyId: text('key_id'),
    entries: integer().notNull().default(0),
    /** HTTP status of its answer (499: its caller had left) and how long it took. Null while open, and of a swept one. */
    status: integer(),
    ms: integer(),
  },
  (t) => [
    check('hold_positive', sql`${t.credits} > 0`),
    check('returned_within_hold', sql`${t.returned} is null or (${t.returned} >= 0 and ${t.returned} <= ${t.credits})`),
    check('closed_with_amount', sql`(${t.closedBy} is null) = (${t.returned} is null)`),
    // All that is asked of open holds, `closed_by` too: without it each entry would be looked up in the table.
    index('holds_open')
      .on(t.accountId, t.expiresAt, t.addresses, t.closedBy, t.credits, t.keyId)
      .where(sql`closed_by is null`),
  ],
);

/**
 * An account's latest calls that held no credits: at most 200 in each ring, in one row, for 7 days. `calls` is JSON
 * (`edge/call-log/ring.ts`): times, codes and figures. `account` is the name of its limiter, which a deleted key still
 * tells.
 */
export const callRings = sqliteTable(
  'call_rings',
  {
    account: text().notNull(),
    ring: text({ enum: CALL_RINGS }).notNull(),
    /** The day of the oldest one; 0: none is left. */
    since: integer().notNull(),
    calls: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.ring] }), index('call_rings_since').on(t.since)],
);

/**
 * An `Idempotency-Key` of the last 24 hours, and its latest request. Key and body are HMACs under a secret that D1 does not
 * have; which elements were charged is all that is known of what was asked. A request that costs something is under
 * way as long as its hold is open; one that costs nothing has no hold, and is until `freeUntil`.
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    keyHash: text('key_hash').notNull(),
    bodyHash: text('body_hash').notNull(),
    /** A bitmap, by the element's place: 4 to a hexadecimal digit, the first in its lowest bit. */
    charged: text().notNull(),
    attempts: integer().notNull(),
    /** Of the latest request. */
    batchId: text('batch_id').notNull(),
    /** Of the first one. */
    begunAt: integer('begun_at').notNull(),
    /** 0 if the latest request has a hold, or is over. */
    freeUntil: integer('free_until').notNull().default(0),
    /** How many addresses it probes, if it has no hold. */
    freeAddresses: integer('free_addresses').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.keyHash] }),
    index('idempotency_keys_begun').on(t.begunAt),
    // Read for requests without a hold when an account's addresses in progress are counted.
    index('idempotency_keys_free')
      .on(t.accountId, t.freeUntil, t.freeAddresses)
      .where(sql`free_addresses > 0`),
  ],
);

/**
 * Append-only, but for the closing of the books, which puts the sum of a day's rows in their place. The key makes every
 * change harmless to repeat: `refId` is the id of a batch, a purchase or a correction; what a purchase writes off has
 * the purchase's id. A sum has its day, `2026-10-14`.
 */
export const ledger = sqliteTable(
  'ledger',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    refId: text('ref_id').notNull(),
    kind: text({ enum: LEDGER_KINDS }).notNull(),
    delta: integer().notNull(),
    at: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.refId, t.kind] }),
    // The order of a statement, so that a page of it reads its own rows alone.
    index('ledger_statement').on(t.accountId, t.at, t.refId, t.kind),
    check(
      'delta_has_its_sign',
      sql`${t.delta} <> 0 and (${t.kind} = 'correction' or (${t.kind} in ('purchase', 'return')) = (${t.delta} > 0))`,
    ),
  ],
);

/**
 * What the audit knows of an account's books (`edge/ledger/audit.ts`): the sum of its ledger rows before `through`, and
 * by how much its balance differed from all of them at the last look. `since`: when the oldest of them was read.
 */
export const checkedBooks = sqliteTable('checked_books', {
  accountId: text('account_id')
    .primaryKey()
    .references(() => accounts.id),
  through: integer().notNull(),
  sum: integer().notNull(),
  difference: integer().notNull(),
  since: integer().notNull(),
});

/** The account after which a duty of the cron goes on (`edge/ledger/turns.ts`). */
export const turns = sqliteTable('turns', {
  duty: text({ enum: ['audit', 'notices'] }).primaryKey(),
  after: text().notNull(),
});

/** Batches that were returned whole, per account and day, so that an operator sees who lives on refunds. */
export const refundDays = sqliteTable(
  'refund_days',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    day: integer().notNull(),
    batches: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.day] })],
);

/** An enrolled probe host: the public half of its key (JWK, JSON). */
export const hosts = sqliteTable('hosts', {
  id: text().primaryKey(),
  publicKey: text('public_key').notNull(),
  state: text({ enum: HOST_STATES }).notNull(),
  createdAt: integer('created_at').notNull(),
});

/**
 * Who may become a probe host: the SHA-256 of an invitation that an operator handed out, and the key (JWK, JSON) of the
 * machine that took it.
 */
export const hostInvitations = sqliteTable('host_invitations', {
  hash: text().primaryKey(),
  host: text().notNull(),
  expiresAt: integer('expires_at').notNull(),
  /** Null until it is used. */
  publicKey: text('public_key'),
});

/**
 * A domain whose owner does not want it probed: its HMAC-SHA-256 under OPT_OUT_SECRET, in base64url. The domain itself
 * is nowhere.
 */
export const optOuts = sqliteTable('opt_outs', {
  hash: text().primaryKey(),
  createdAt: integer('created_at').notNull(),
});

/** When the cron last ended its turn: one row. */
export const heartbeat = sqliteTable('heartbeat', { id: integer().primaryKey(), at: integer().notNull() }, (t) => [
  check('one_heartbeat', sql`${t.id} = 1`),
]);

/** Every call of the operator's API, for 400 days. The unique token id makes a replayed call fail. */
export const audit = sqliteTable(
  'audit',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    operator: text().notNull(),
    tokenId: text('token_id').notNull(),
    method: text().notNull(),
    path: text().notNull(),
    bodyHash: text('body_hash').notNull(),
    /** HTTP status of the answer; null while the call runs, or if it broke. */
    status: integer(),
  },
  (t) => [uniqueIndex('audit_token').on(t.tokenId)],
);

/** What settled batches came to: one row for each account, day and key. `keyId` is 'page' for the pages' own calls. */
export const usageDays = sqliteTable(
  'usage_days',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    day: integer().notNull(),
    keyId: text('key_id').notNull(),
    batches: integer().notNull(),
    valid: integer().notNull(),
    risky: integer().notNull(),
    invalid: integer().notNull(),
    unknown: integer().notNull(),
    charged: integer().notNull(),
    returned: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.day, t.keyId] }), index('usage_days_day').on(t.day)],
);

/** A mail about an account's credits, by its occasion: the Worker that claims it sends it, and records that it went out. */
export const notices = sqliteTable(
  'notices',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    kind: text({ enum: ['low_balance', 'expires_in_30', 'expires_in_7', 'form_day'] }).notNull(),
    /** In milliseconds: the expiry that it is about, which each purchase moves; of `form_day` the beginning of the day. */
    expiresAt: integer('expires_at').notNull(),
    /** 0: not yet. */
    sentAt: integer('sent_at').notNull(),
    /** When somebody last set out to send it. */
    claimedAt: integer('claimed_at').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.kind, t.expiresAt] })],
);
