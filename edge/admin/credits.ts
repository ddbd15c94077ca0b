import type { Grant, Statement } from '../../schema/admin.ts';
import { LEDGER_KINDS } from '../../schema/tables.ts';
import { type LedgerPlace, readBalance, readLedger } from '../ledger/account.ts';
import { correct } from '../ledger/correct.ts';
import { grant } from '../ledger/grant.ts';
import { type Answer, ok, refusal } from './answer.ts';
import { timeText } from './day.ts';
import type { Services } from './services.ts';

type Params = { readonly account: string; readonly purchase: string };

/**
 * Books credits bought, or takes some back where the number is negative, under an id that the operator chose: the
 * same once more changes nothing, another number under the same id is refused.
 */
export async function grantCredits(
  services: Services,
  params: Params,
  body: { readonly credits: number },
): Promise<Answer> {
  return body.credits > 0 ? buy(services, params, body.credits) : takeBack(services, params, -body.credits);
}

async function buy({ db, nowMs }: Services, params: Params, credits: number): Promise<Answer> {
  const bought = await grant(db, { accountId: params.account, purchaseId: params.purchase, credits, nowMs });
  switch (bought.kind) {
    case 'granted':
    case 'repeated':
      return booked(params, credits, bought.kind === 'granted', bought.balance, bought.expiresAt);
    case 'conflict':
      return taken(params);
    case 'unknown_account':
      return refusal(404, `No account ${params.account}.`);
  }
}

async function takeBack({ db }: Services, params: Params, credits: number): Promise<Answer> {
  const taking = await correct(db, { accountId: params.account, correctionId: params.purchase, credits });
  switch (taking.kind) {
    case 'corrected':
    case 'repeated': {
      const account = await readBalance(db, params.account);
      return booked(params, -credits, taking.kind === 'corrected', taking.balance, account?.expiresAt ?? 0);
    }
    case 'conflict':
      return taken(params);
    case 'too_few_credits':
      return refusal(409, `Account ${params.account} has ${taking.balance} credits: ${credits} cannot be taken back.`);
    case 'unknown_account':
      return refusal(404, `No account ${params.account}.`);
  }
}

function taken(params: Params): Answer {
  return refusal(409, `${params.purchase} was booked before with another number of credits: nothing was changed.`);
}

function booked(params: Params, credits: number, isNew: boolean, balance: number, expiresAt: number): Answer {
  const answer: Grant = {
    accountId: params.account,
    purchaseId: params.purchase,
    kind: credits > 0 ? 'purchase' : 'correction',
    credits,
    booked: isNew,
    balance,
    expiresAt: expiresAt === 0 ? null : timeText(expiresAt),
  };
  return ok(answer, isNew ? 201 : 200);
}

const ROWS_SHOWN = 100;

/** One page of the account's ledger, newest first. */
export async function showStatement(
  { db }: Services,
  params: { readonly account: string; readonly limit?: number | undefined; readonly before?: string | undefined },
): Promise<Answer> {
  const before = params.before === undefined ? null : readPlace(params.before);
  if (before === undefined) return refusal(400, 'before: must be the next of an earlier page.');
  const limit = params.limit ?? ROWS_SHOWN;
  const [account, rows] = await Promise.all([
    readBalance(db, params.account),
    readLedger(db, params.account, limit + 1, before),
  ]);
  if (account === null) return refusal(404, `No account ${params.account}.`);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const statement: Statement = {
    rows: shown.map(({ at, refId, ...row }) => ({ ...row, at: timeText(at), ref: refId })),
    next: rows.length > limit && last !== undefined ? `${last.at}.${last.kind}.${last.refId}` : null,
  };
  return ok(statement);
}

/** `AT.KIND.REF`, as `next` gives it. */
function readPlace(text: string): LedgerPlace | undefined {
  const [, at, kindText, refId] = /^(\d{1,15})\.([a-z]+)\.(.+)$/.exec(text) ?? [];
  const kind = LEDGER_KINDS.find((known) => known === kindText);
  return at === undefined || refId === undefined || kind === undefined ? undefined : { at: Number(at), kind, refId };
}
