import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import { type Account, accountIdSchema, type Accounts, ACCOUNTS_MAX, searchSchema } from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import { accounts } from '../../schema/tables.ts';
import {
  type Balance,
  readAccounts,
  readBalance,
  readLastUse,
  readRefundDays,
  type RefundDay,
} from '../ledger/account.ts';
import { homeOfAccount } from '../ledger/home-of.ts';
import { emptiest, openThere } from '../ledger/open-account.ts';
import { databaseName, type Home } from '../base/databases.ts';
import { within } from '../base/within.ts';
import { addOwner } from '../people/add-owner.ts';
import { listKeys } from '../people/keys.ts';
import { listPeople } from '../people/people.ts';
import { keyEntry } from './keys.ts';
import { dayText, timeText } from '../base/time-text.ts';
import { type Done, done, noAccount, type OfAccount, rowsUpTo, type Services } from './operation.ts';

const REFUND_DAYS_SHOWN = 30;
/** A database that takes longer counts as down. */
const D1_TIMEOUT_MS = 5_000;

export const accountsAsked = z.strictObject({
  limit: rowsUpTo(ACCOUNTS_MAX),
  /** The `next` of the previous page. */
  after: accountIdSchema.optional(),
  search: searchSchema.optional(),
});

/** Opens an account under an id chosen by the operator; repeating it with the same name changes nothing. */
export async function createAccount(
  services: Services,
  params: OfAccount,
  body: { readonly name: string },
): Promise<Done> {
  const { directory, nowMs } = services;
  const number = await emptiest(directory);
  const there = number === 0 ? {} : { database: number, unopened: 0 };
  const row = { id: params.account, name: body.name, createdAt: nowMs, ...there };
  const inserted = await drizzle(services.db)
    .insert(accounts)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: accounts.id });
  if (directory.all.length > 1) await openThere(directory, params.account, nowMs);
  const account = await readAccount(services, params.account);
  if (account === undefined) throw new Error('the account was deleted during the request');
  if (account.name !== body.name)
    throw new RequestError('CONFLICT', `Account ${params.account} already exists under another name.`);
  return done(account, inserted.length === 1 ? 201 : 200);
}

export async function showAccount(services: Services, params: OfAccount): Promise<Done> {
  const account = await readAccount(services, params.account);
  if (account === undefined) throw noAccount(params.account);
  return done(account);
}

/** One page of the accounts, or of those that match a search, in id order, with what their owners see. */
export async function listAccounts({ directory }: Services, asked: z.infer<typeof accountsAsked>): Promise<Done> {
  const { limit, after = '', search = '' } = asked;
  const { rows, missing } = await readAccounts(directory, { after, search, rows: limit + 1 });
  const shown = rows.slice(0, limit);
  const page: Accounts = {
    accounts: shown.map(({ createdAt, expiresAt, lastUsedDay, ...row }) => ({
      ...row,
      lastUse: lastUsedDay === null ? null : dayText(lastUsedDay),
      createdAt: timeText(createdAt),
      expiresAt: expiresAt === 0 ? null : timeText(expiresAt),
    })),
    next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    missing: [...missing],
  };
  return done(page);
}

type OwnerBody = { readonly email: string };

/** Adds an owner by email address; existing owners stay. */
export async function setOwner({ db }: Services, params: OfAccount, { email }: OwnerBody): Promise<Done> {
  const added = await addOwner(db, params.account, email);
  if (added === 'unknown_account') throw noAccount(params.account);
  return done({ accountId: params.account, email, role: 'owner' }, added === 'added' ? 201 : 200);
}

type Facts = {
  readonly money: Balance | null;
  readonly days: readonly RefundDay[];
  readonly lastUse: number | null;
  readonly home: Home;
};

/** @throws RequestError UNAVAILABLE that names the database that does not answer */
async function factsOf(directory: Home, id: string): Promise<Facts> {
  const home = await homeOfAccount(directory, id);
  const { db } = home;
  const read = [readBalance(db, id), readRefundDays(db, id, REFUND_DAYS_SHOWN), readLastUse(db, id)] as const;
  try {
    const [money, days, lastUse] = await within(D1_TIMEOUT_MS, Promise.all(read));
    return { money, days, lastUse, home };
  } catch (error) {
    if (db === directory.db) throw error;
    const why = `The database ${databaseName(home.all.indexOf(db))}, which has the credits of account ${id}, does not answer.`;
    throw new RequestError('UNAVAILABLE', why, {}, error);
  }
}

async function readAccount({ directory }: Services, id: string): Promise<Account | undefined> {
  const { db } = directory;
  const orm = drizzle(db);
  const [[account], people, { money, days, lastUse, home }] = await Promise.all([
    orm.select().from(accounts).where(eq(accounts.id, id)),
    listPeople(db, id),
    factsOf(directory, id),
  ]);
  if (account === undefined || money === null) return undefined;
  const keys = await listKeys({ accountId: id, by: null, home });
  return {
    id: account.id,
    name: account.name,
    createdAt: timeText(account.createdAt),
    database: directory.all.indexOf(home.db),
    credits: money.credits,
    balance: money.balance,
    expiresAt: money.expiresAt === 0 ? null : timeText(money.expiresAt),
    keys: keys.toReversed().map((key) => keyEntry(key, id)),
    people: people.map(({ email, role, joinedAt }) => ({ email, role, joinedAt: timeText(joinedAt) })),
    lastUse: lastUse === null ? null : dayText(lastUse),
    openHolds: { batches: money.openBatches, credits: money.held },
    refundDays: days.map((row) => ({ day: dayText(row.day), batches: row.batches })),
  };
}
