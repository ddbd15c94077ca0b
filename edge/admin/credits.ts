import type { Grant, Statement } from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import { readBalance } from '../ledger/account.ts';
import { correct } from '../ledger/correct.ts';
import { buy, homeOfAccount } from '../ledger/home-of.ts';
import { timeText } from '../base/time-text.ts';
import { readStatement, shownRow } from '../ledger/statement.ts';
import { type Done, done, type Services } from './operation.ts';

type Params = { readonly account: string; readonly purchase: string };

/**
 * Books credits bought, or takes some back if the number is negative, under an id chosen by the operator: repeating it
 * changes nothing, and another number under the same id is refused.
 */
export async function grantCredits(
  services: Services,
  params: Params,
  body: { readonly credits: number },
): Promise<Done> {
  return body.credits > 0 ? bookPurchase(services, params, body.credits) : takeBack(services, params, -body.credits);
}

async function bookPurchase({ directory, nowMs }: Services, params: Params, credits: number): Promise<Done> {
  const bought = await buy(directory, { accountId: params.account, purchaseId: params.purchase, credits, nowMs });
  switch (bought.kind) {
    case 'granted':
    case 'repeated':
      return booked(params, credits, bought.kind === 'granted', bought.balance, bought.expiresAt);
    case 'conflict':
      return taken(params);
    case 'unknown_account':
      throw new RequestError('NOT_FOUND', `No account ${params.account}.`);
  }
}

async function takeBack({ directory }: Services, params: Params, credits: number): Promise<Done> {
  const correction = { accountId: params.account, correctionId: params.purchase, credits };
  const { db } = await homeOfAccount(directory, params.account);
  const taking = await correct(db, correction);
  switch (taking.kind) {
    case 'corrected':
    case 'repeated': {
      const account = await readBalance(db, params.account);
      return booked(params, -credits, taking.kind === 'corrected', taking.balance, account?.expiresAt ?? 0);
    }
    case 'conflict':
      return taken(params);
    case 'too_few_credits':
      throw new RequestError(
        'CONFLICT',
        `Account ${params.account} has ${taking.balance} credits: ${credits} cannot be taken back.`,
      );
    case 'unknown_account':
      throw new RequestError('NOT_FOUND', `No account ${params.account}.`);
  }
}

function taken(params: Params): Done {
  throw new RequestError(
    'CONFLICT',
    `${params.purchase} was booked before with another number of credits: nothing was changed.`,
  );
}

function booked(params: Params, credits: number, isNew: boolean, balance: number, expiresAt: number): Done {
  const answer: Grant = {
    accountId: params.account,
    purchaseId: params.purchase,
    kind: credits > 0 ? 'purchase' : 'correction',
    credits,
    booked: isNew,
    balance,
    expiresAt: expiresAt === 0 ? null : timeText(expiresAt),
  };
  return done(answer, isNew ? 201 : 200);
}

const ROWS_SHOWN = 100;

/** One page of the account's ledger, newest first. */
export async function showStatement(
  { directory }: Services,
  params: { readonly account: string; readonly limit?: number | undefined; readonly before?: string | undefined },
): Promise<Done> {
  const { db } = await homeOfAccount(directory, params.account);
  const [account, page] = await Promise.all([
    readBalance(db, params.account),
    readStatement(db, params.account, params.limit ?? ROWS_SHOWN, params.before),
  ]);
  if (account === null) throw new RequestError('NOT_FOUND', `No account ${params.account}.`);
  return done({ rows: page.rows.map(shownRow), next: page.next } satisfies Statement);
}
