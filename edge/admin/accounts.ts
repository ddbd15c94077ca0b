import { and, asc, count, desc, eq, isNull, sum } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { Account } from '../../schema/admin.ts';
import { accounts, apiKeys, holds, refundDays } from '../../schema/tables.ts';
import { type Answer, ok, refusal } from './answer.ts';
import { dayText, timeText } from './day.ts';
import { keyEntry } from './keys.ts';
import type { Services } from './services.ts';

const REFUND_DAYS_SHOWN = 30;

/** Opens an account under an id that the operator chose; repeated with the same name it changes nothing. */
export async function createAccount(
  services: Services,
  params: { readonly account: string },
  body: { readonly name: string },
): Promise<Answer> {
  const row = { id: params.account, name: body.name, createdAt: services.nowMs };
  const inserted = await drizzle(services.db)
    .insert(accounts)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: accounts.id });
  const account = await readAccount(services, params.account);
  if (account === undefined) throw new Error('an account vanished while it was opened');
  if (account.name !== body.name) return refusal(409, `Account ${params.account} exists under another name.`);
  return ok(account, inserted.length === 1 ? 201 : 200);
}

export async function showAccount(services: Services, params: { readonly account: string }): Promise<Answer> {
  const account = await readAccount(services, params.account);
  return account === undefined ? refusal(404, `No account ${params.account}.`) : ok(account);
}

/** An account with what hangs on it, all of one moment: one transaction, one round trip. */
async function readAccount({ db, nowMs }: Services, id: string): Promise<Account | undefined> {
  const orm = drizzle(db);
  const [[account], keys, [open], days] = await orm.batch([
    orm.select().from(accounts).where(eq(accounts.id, id)),
    orm.select().from(apiKeys).where(eq(apiKeys.accountId, id)).orderBy(asc(apiKeys.createdAt), asc(apiKeys.id)),
    orm
      .select({ batches: count(), credits: sum(holds.credits).mapWith(Number) })
      .from(holds)
      .where(and(eq(holds.accountId, id), isNull(holds.closedBy))),
    orm
      .select({ day: refundDays.day, batches: refundDays.batches })
      .from(refundDays)
      .where(eq(refundDays.accountId, id))
      .orderBy(desc(refundDays.day))
      .limit(REFUND_DAYS_SHOWN),
  ]);
  if (account === undefined) return undefined;
  return {
    id: account.id,
    name: account.name,
    createdAt: timeText(account.createdAt),
    credits: account.expiresAt > nowMs ? account.balance : 0,
    balance: account.balance,
    expiresAt: account.expiresAt === 0 ? null : timeText(account.expiresAt),
    keys: keys.map(keyEntry),
    openHolds: { batches: open?.batches ?? 0, credits: open?.credits ?? 0 },
    refundDays: days.map((row) => ({ day: dayText(row.day), batches: row.batches })),
  };
}
