import * as z from 'zod';
import { STATEMENT_ROWS_MAX } from '../../schema/admin.ts';
import type { PageBalance, PageStatement, StatementBatch, Usage } from '../../schema/pages-api.ts';
import type { Call } from '../base/call.ts';
import { readBalance } from '../ledger/account.ts';
import { type BatchFacts, readBatches } from '../ledger/explain.ts';
import { readStatement, shownRow } from '../ledger/statement.ts';
import { readUsage } from '../ledger/usage.ts';
import { listKeys } from '../people/keys.ts';
import type { Session } from '../people/sessions.ts';
import { whyNoGift } from '../people/welcome.ts';
import { dayText, timeText } from '../base/time-text.ts';
import { homeOfSession } from './account-home.ts';
import { type JsonResponse, answer } from './route.ts';

const ROWS_SHOWN = 100;
const DAYS_SHOWN = 30;
const DAYS_MAX = 400;

export const whole = (max: number) =>
  z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1).max(max));

export const statementParams = z.strictObject({
  limit: whole(STATEMENT_ROWS_MAX).default(ROWS_SHOWN),
  /** The `next` of the previous page. */
  before: z.string().max(200).optional(),
});
export const usageParams = z.strictObject({ days: whole(DAYS_MAX).default(DAYS_SHOWN) });
type UsageParams = z.infer<typeof usageParams>;

export async function showBalance(call: Call, session: Session): Promise<JsonResponse> {
  const money = await readBalance(homeOfSession(call, session).db, session.account.id);
  if (money === null) throw new Error('the account is not in its database');
  const mayAsk = money.expiresAt === 0 && session.account.role === 'owner';
  return answer({
    credits: money.credits,
    expiresAt: money.expiresAt === 0 ? null : timeText(money.expiresAt),
    held: { batches: money.openBatches, credits: money.held },
    noGift: mayAsk ? await whyNoGift(call.env.DB, call.config, session.person.email, 'proven') : null,
  } satisfies PageBalance);
}

/** One page of the account's ledger, newest first, with the batch that explains each row. */
export async function showStatement(
  call: Call,
  session: Session,
  { limit, before }: z.infer<typeof statementParams>,
): Promise<JsonResponse> {
  const { account } = session;
  const { db } = homeOfSession(call, session);
  const { rows, next } = await readStatement(db, account.id, limit, before);
  const batches = await readBatches(
    db,
    account.id,
    rows.map(({ refId }) => refId),
  );
  return answer({
    rows: rows.map((row) => ({ ...shownRow(row), batch: batchEntry(batches.get(row.refId)) })),
    next,
  } satisfies PageStatement);
}

function batchEntry(batch: BatchFacts | undefined): StatementBatch | null {
  if (batch === undefined) return null;
  const { addresses, held, returned, closedBy, list } = batch;
  const state = closedBy === null ? 'open' : closedBy === 'settle' ? 'settled' : 'returned';
  return { addresses, held, returned, state, list };
}

export async function showUsage(call: Call, session: Session, { days }: UsageParams): Promise<JsonResponse> {
  const { account, person } = session;
  const home = homeOfSession(call, session);
  const [rows, keys] = await Promise.all([
    readUsage(home.db, account.id, days),
    listKeys({ accountId: account.id, by: person.id, home }),
  ]);
  return answer({
    rows: rows.map(({ day, keyId, ...counts }) => ({ day: dayText(day), key: keyId, ...counts })),
    labels: Object.fromEntries(keys.map(({ id, label }) => [id, label])),
  } satisfies Usage);
}
