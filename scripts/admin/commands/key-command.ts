import { Command } from 'commander';
import { accountIdSchema, GRANT_MAX, keyBodySchema, keyIdSchema } from '../../../schema/admin.ts';
import { wholeNumber } from '../../base/command-line.ts';
import { keyLines } from './account-command.ts';
import { newId } from '../connection/api.ts';
import { apiOf } from '../connection/connection.ts';
import { print, table } from '../output/print.ts';
import { checked } from '../../base/usage-error.ts';

type CreateFlags = { readonly label: string; readonly dayCap?: number; readonly monthCap?: number };

/** `key create|list|delete`. */
export function keyCommand(write: (text: string) => void): Command {
  const key = new Command('key').description('manage the API keys of an account');
  key
    .command('create')
    .description('create an API key; it is shown only once')
    .argument('<account>', 'account id')
    .option('--label <text>', 'label that says what it is for', 'default')
    .option('--day-cap <credits>', 'credits that it may spend a day (UTC)', wholeNumber(1, GRANT_MAX))
    .option('--month-cap <credits>', 'credits that it may spend a calendar month (UTC)', wholeNumber(1, GRANT_MAX))
    .action(async (account: string, options: CreateFlags, command: Command) => {
      const caps = { dayCap: options.dayCap ?? null, monthCap: options.monthCap ?? null };
      const asked = { accountId: account, label: options.label, caps };
      const body = checked(keyBodySchema, asked, 'ACCOUNT or --label');
      const made = await (await apiOf(command)).createKey(newId('key'), body.accountId, body.label, body.caps);
      const lines = table([
        ['key', made.key],
        ['id', made.id],
        ['account', made.accountId],
        ['label', made.label],
      ]);
      print(command, write, made, [...lines, 'Store the key now: it cannot be shown again.']);
    });
  key
    .command('list')
    .description('list the keys of an account, without their secrets')
    .argument('<account>', 'account id')
    .action(async (account: string, _options: unknown, command: Command) => {
      const id = checked(accountIdSchema, account, 'ACCOUNT');
      const { keys } = await (await apiOf(command)).showAccount(id);
      print(command, write, { keys }, keys.length === 0 ? ['no keys'] : keyLines(keys));
    });
  key
    .command('delete')
    .description('delete an API key; its next call fails')
    .argument('<key>', 'key id, not the key itself')
    .action(async (name: string, _options: unknown, command: Command) => {
      const id = checked(keyIdSchema, name, 'KEY');
      const deleted = await (await apiOf(command)).deleteKey(id);
      print(command, write, deleted, [`${deleted.id} is deleted`]);
    });
  return key;
}
