import { Command, Option } from 'commander';
import * as z from 'zod';
import {
  accountIdSchema,
  CORRECTED_SIDES,
  type CorrectedSide,
  correctionBodySchema,
  type Grant,
  GRANT_MAX,
  grantBodySchema,
  purchaseIdSchema,
} from '../../../schema/admin.ts';
import { newId } from '../connection/api.ts';
import { AdminError } from '../connection/client.ts';
import { apiOf } from '../connection/connection.ts';
import { amount, print, table, when } from '../output/print.ts';
import { checked } from '../../base/usage-error.ts';

const whole = z
  .string()
  .regex(/^[+-]?\d{1,10}$/, `must be a whole number, not 0, at most ${GRANT_MAX}`)
  .transform(Number);

const ID = 'each id is booked only once (default: a new id)';

/** `credits grant` and `credits correct`. */
export function creditsCommand(write: (text: string) => void): Command {
  const credits = new Command('credits').description('change the credits of an account');
  credits
    .command('grant')
    .description('book a purchase, valid for 12 months')
    .argument('<account>', 'account id')
    .argument('<credits>', 'number of credits')
    .option('--id <purchase>', `purchase id; ${ID}`)
    .action(async (account: string, count: string, options: { id?: string }, command: Command) => {
      const accountId = checked(accountIdSchema, account, 'ACCOUNT');
      const body = checked(grantBodySchema, { credits: checked(whole, count, 'CREDITS') }, 'CREDITS');
      const id = checked(purchaseIdSchema, options.id ?? newId('grant'), '--id');
      const api = await apiOf(command);
      show(command, write, await repeatable(id, () => api.grant(accountId, id, body.credits)));
    });
  credits
    .command('correct')
    .description('give credits back, or take some away if negative; expiry and class stay')
    .argument('<account>', 'account id')
    .argument('<credits>', 'number of credits')
    .option('--id <correction>', `id that says why; ${ID}`)
    .addOption(new Option('--only <side>', 'correct one side of books that do not agree').choices([...CORRECTED_SIDES]))
    .action(
      async (account: string, count: string, options: { id?: string; only?: CorrectedSide }, command: Command) => {
        const { id: name, ...only } = options;
        const accountId = checked(accountIdSchema, account, 'ACCOUNT');
        const body = checked(correctionBodySchema, { credits: checked(whole, count, 'CREDITS'), ...only }, 'CREDITS');
        const id = checked(purchaseIdSchema, name ?? newId('correction'), '--id');
        const api = await apiOf(command);
        show(command, write, await repeatable(id, () => api.correct(accountId, id, body)));
      },
    );
  return credits;
}

/** It may have been booked although no answer came; repeating it with the same id is safe. */
async function repeatable(id: string, call: () => Promise<Grant>): Promise<Grant> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AdminError && (error.status === null || error.status >= 500))
      throw new AdminError(`${error.message} Then repeat the call with --id ${id}.`, error.status, error);
    throw error;
  }
}

function show(command: Command, write: (text: string) => void, grant: Grant): void {
  const lines = table([
    [grant.kind, grant.purchaseId],
    ['account', grant.accountId],
    ['credits', amount(grant.credits)],
    ['balance', amount(grant.balance)],
    ['expires', when(grant.expiresAt, 'nothing bought yet')],
  ]);
  print(command, write, grant, grant.booked ? lines : [...lines, 'Nothing was left to change.']);
}
