import { Command } from 'commander';
import * as z from 'zod';
import { accountIdSchema, GRANT_MAX, grantBodySchema, purchaseIdSchema } from '../../../schema/admin.ts';
import { adminApi, newId } from '../connection/api.ts';
import { AdminError } from '../connection/client.ts';
import { connectionOf } from '../connection/connection.ts';
import { amount, print, table, when } from '../output/print.ts';
import { checked } from '../../base/usage-error.ts';

const whole = z
  .string()
  .regex(/^[+-]?\d{1,10}$/, `must be a whole number, not 0, at most ${GRANT_MAX}`)
  .transform(Number);

/** `credits grant`. */
export function creditsCommand(write: (text: string) => void): Command {
  const credits = new Command('credits').description('change the credits of an account');
  credits
    .command('grant')
    .description('book a purchase, valid for 12 months; a negative number takes credits back')
    .argument('<account>', 'account id')
    .argument('<credits>', 'number of credits')
    .option('--id <purchase>', 'purchase id; each id is booked only once (default: a new id)')
    .action(async (account: string, count: string, options: { id?: string }, command: Command) => {
      const accountId = checked(accountIdSchema, account, 'ACCOUNT');
      const body = checked(grantBodySchema, { credits: checked(whole, count, 'CREDITS') }, 'CREDITS');
      const id = checked(purchaseIdSchema, options.id ?? newId('grant'), '--id');
      const api = adminApi(await connectionOf(command));
      try {
        const grant = await api.grant(accountId, id, body.credits);
        const lines = table([
          [grant.kind, grant.purchaseId],
          ['account', grant.accountId],
          ['credits', amount(grant.credits)],
          ['balance', amount(grant.balance)],
          ['expires', when(grant.expiresAt, 'nothing bought yet')],
        ]);
        print(command, write, grant, grant.booked ? lines : [...lines, 'Already booked; nothing changed.']);
      } catch (error) {
        // It may have been booked; repeating it with the same id is safe.
        if (error instanceof AdminError && (error.status === null || error.status >= 500))
          throw new AdminError(`${error.message} Then repeat the call with --id ${id}.`, error.status, error);
        throw error;
      }
    });
  return credits;
}
