import * as z from 'zod';
import {
  accountIdSchema,
  type CorrectedSide,
  type Grant,
  STATEMENT_ROWS_MAX,
  type Statement,
} from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import { readBalance } from '../ledger/account.ts';
import { correct } from '../ledger/correct.ts';
import { buy, homeOfAccount } from '../ledger/home-of.ts';
import { timeText } from '../base/time-text.ts';
import { readStatement, shownRow } from '../ledger/statement.ts';
import { type Done, done, noAccount, type OfAccount, rowsUpTo, type Services } from './operation.ts';

type Params = OfAccount & { readonly purchase: string };
type GrantBody = { readonly credits: number };

/** Books credits bought. Repeating it under its id changes nothing; another number under the same id is refused. */
export async function grantCredits(
  { directory, nowMs }: Services,
  params: Params,
  { credits }: GrantBody,
): Promise<Done> {
  const bought = await buy(directory, { accountId: params.account, purchaseId: params.purchase, credits, nowMs });
  switch (bought.kind) {
    case 'granted':
    case 'repeated':
      return booked(params, { kind: 'purchase', credits }, bought.kind === 'granted', bought);
    case 'conflict':
      return taken(params);
    case 'unknown_account':
      throw noAccount(params.account);
  }
}

/** Gives credits back or takes them away, in the same way. */
export async function correctCredits(
  { directory }: Services,
  params: Params,
  { credits, only }: { readonly credits: number; readonly only?: CorrectedSide },
): Promise<Done> {
  const { db } = await homeOfAccount(directory, params.account);
  const corrected = await correct(db, { accountId: params.account, correctionId: params.purchase, credits, only });
  switch (corrected.kind) {
    case 'corrected':
    case 'repeated': {
      const { expiresAt = 0 } = (await readBalance(db, params.account)) ?? {};
      const now = { balance: corrected.balance, expiresAt };
      return booked(params, { kind: 'correction', credits }, corrected.kind === 'corrected', now);
    }
    case 'conflict':
      return taken(params);
    case 'another_difference':
      throw new RequestError(
        'CONFLICT',
        `Only ${corrected.credits} credits would make the ${only} of account ${params.account} agree: nothing was changed.`,
      );
    case 'too_few_credits':
      throw new RequestError(
        'CONFLICT',
        `Account ${params.account} has ${corrected.balance} credits: ${0 - credits} cannot be taken back.`,
      );
    case 'unknown_account':
      throw noAccount(params.account);
  }
}

function taken(params: Params): Done {
  throw new RequestError(
    'CONFLICT',
    `${params.purchase} was booked before with another number of credits: nothing was changed.`,
  );
}

function booked(
  { account, purchase }: Params,
  change: Pick<Grant, 'kind' | 'credits'>,
  isNew: boolean,
  { balance, expiresAt }: { readonly balance: number; readonly expiresAt: number },
): Done {
  const expires = expiresAt === 0 ? null : timeText(expiresAt);
  const answer: Grant = {
    accountId: account,
    purchaseId: purchase,
    ...change,
    booked: isNew,
    balance,
    expiresAt: expires,
  };
  return done(answer, isNew ? 201 : 200);
}

export const statementAsked = z.strictObject({
  account: accountIdSchema,
  limit: rowsUpTo(STATEMENT_ROWS_MAX),
  /** The `next` of the previous page. */
  before: z.string().min(1).max(200).optional(),
});

/** One page of the account's ledger, newest first. */
export async function showStatement({ directory }: Services, params: z.infer<typeof statementAsked>): Promise<Done> {
  const { db } = await homeOfAccount(directory, params.account);
  const [account, page] = await Promise.all([
    readBalance(db, params.account),
    readStatement(db, params.account, params.limit, params.before),
  ]);
  if (account === null) throw noAccount(params.account);
  return done({ rows: page.rows.map(shownRow), next: page.next } satisfies Statement);
}
