import { Command } from 'commander';
import { accountIdSchema, keyBodySchema, keyIdSchema } from '../../../schema/admin.ts';
import { keyLines } from './account-command.ts';
import { newId } from '../connection/api.ts';
import { apiOf } from '../connection/connection.ts';
import { print, table } from '../output/print.ts';
import { checked } from '../../base/usage-error.ts';

/** `key create|list|delete`. */
export function keyCommand(write: (text: string) => void): Command {
  const key = new Command('key').description('manage the API keys of an account');
  key
    .command('create')
    .description('create an API key; it is shown only once')
    .argument('<account>', 'account id')
    .option('--label <text>', 'label that says what it is for', 'default')
    .action(async (account: string, options: { label: string }, command: Command) => {
      const body = checked(keyBodySchema, { accountId: account, label: options.label }, 'ACCOUNT or --label');
      const made = await (await apiOf(command)).createKey(newId('key'), body.accountId, body.label);
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
