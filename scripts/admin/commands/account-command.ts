import { Command } from 'commander';
import * as z from 'zod';
import {
  type Account,
  type Accounts,
  ACCOUNTS_MAX,
  accountBodySchema,
  accountIdSchema,
  type KeyEntry,
  ownerBodySchema,
  searchSchema,
  type Statement,
  STATEMENT_ROWS_MAX,
} from '../../../schema/admin.ts';
import { newId } from '../connection/api.ts';
import { apiOf } from '../connection/connection.ts';
import { amount, print, table, when } from '../output/print.ts';
import { wholeNumber } from '../../base/command-line.ts';
import { checked } from '../../base/usage-error.ts';

/** As commander reads them. */
type ShowOptions = { readonly ledger?: true; readonly rows: number; readonly before?: string };

const listOptions = z.object({ after: accountIdSchema.optional(), search: searchSchema.optional() });

/** `account create|list|move|owner|show`. */
export function accountCommand(write: (text: string) => void): Command {
  const account = new Command('account').description('open and inspect accounts');
  account
    .command('create')
    .description('open an account')
    .argument('<name>', 'name of the customer')
    .option('--id <id>', 'account id; repeating the call changes nothing (default: a new id)')
    .action(async (name: string, options: { id?: string }, command: Command) => {
      const body = checked(accountBodySchema, { name }, 'NAME');
      const id = checked(accountIdSchema, options.id ?? newId('acc'), '--id');
      const made = await (await apiOf(command)).createAccount(id, body.name);
      print(command, write, made, accountLines(made));
    });
  account
    .command('list')
    .description('list all accounts by id')
    .option('--search <text>', 'only accounts with this text in their id or name')
    .option('--rows <number>', `number of accounts, at most ${ACCOUNTS_MAX}`, wholeNumber(1, ACCOUNTS_MAX), 100)
    .option('--after <account>', 'continue after this account id')
    .action(async (options: { rows: number }, command: Command) => {
      const { after, search } = checked(listOptions, options, '--after or --search');
      const limit = options.rows;
      const page = await (await apiOf(command)).listAccounts({ limit, after, search });
      print(command, write, page, pageLines(page));
    });
  account
    .command('owner')
    .description('add an owner by email address (existing owners stay)')
    .argument('<account>', 'account id')
    .argument('<email>', 'address that the owner signs in with')
    .action(async (account_: string, email: string, _options: unknown, command: Command) => {
      const id = checked(accountIdSchema, account_, 'ACCOUNT');
      const body = checked(ownerBodySchema, { email }, 'EMAIL');
      const made = await (await apiOf(command)).setOwner(id, body.email);
      print(command, write, made, [`${made.email} is an owner of ${made.accountId}`]);
    });
  account
    .command('show')
    .description('show the balance, keys, open holds and refunds of an account')
    .argument('<account>', 'account id')
    .option('--ledger', 'include the statement, newest row first')
    .option('--rows <number>', `number of rows, at most ${STATEMENT_ROWS_MAX}`, wholeNumber(1, STATEMENT_ROWS_MAX), 50)
    .option('--before <place>', 'continue the statement before this row')
    .action(async (account_: string, wanted: ShowOptions, command: Command) => {
      const id = checked(accountIdSchema, account_, 'ACCOUNT');
      const api = await apiOf(command);
      const shown = await api.showAccount(id);
      if (wanted.ledger !== true) return print(command, write, shown, accountLines(shown));
      const statement = await api.statement(id, wanted.rows, wanted.before);
      const lines = [...accountLines(shown), '', ...statementLines(statement)];
      return print(command, write, { ...shown, ledger: statement }, lines);
    });
  return account;
}

function pageLines({ accounts, next, missing }: Accounts): readonly string[] {
  if (accounts.length === 0) return ['no accounts'];
  return [
    ...table([
      ['account', 'name', 'credits', 'expires', 'keys', 'people', 'last use', 'opened'],
      ...accounts.map((account) => [
        account.id,
        account.name,
        account.credits === null ? '?' : amount(account.credits),
        when(account.expiresAt, '-'),
        String(account.keys ?? '?'),
        String(account.people),
        when(account.lastUse, account.credits === null ? '?' : 'never'),
        when(account.createdAt, ''),
      ]),
    ]),
    ...(missing.length === 0
      ? []
      : [`${missing.join(', ')} does not answer: the credits of its accounts are not known`]),
    ...(next === null ? [] : [`more: --after ${next}`]),
  ];
}

function accountLines(account: Account): readonly string[] {
  return [
    ...table([
      ['account', account.id],
      ['name', account.name],
      ['opened', when(account.createdAt, '')],
      ['database', account.database === 0 ? 'DB' : `DB_${account.database}`],
      ['credits', amount(account.credits)],
      ['balance', amount(account.balance)],
      ['expires', when(account.expiresAt, 'nothing bought yet')],
      ['open', `${account.openHolds.batches} batches, ${amount(account.openHolds.credits)} credits held`],
      ['last use', when(account.lastUse, 'never')],
      ['people', account.people.map(({ email, role }) => `${email} (${role})`).join(', ') || 'nobody'],
      ['refunds', account.refundDays.map((day) => `${day.day}: ${day.batches}`).join(', ') || 'none'],
    ]),
    ...(account.keys.length === 0 ? ['no keys'] : keyLines(account.keys)),
  ];
}

export function keyLines(keys: readonly KeyEntry[]): readonly string[] {
  return table([
    ['key', 'label', 'ends in', 'created', 'last used', 'made by'],
    ...keys.map((key) => [
      key.id,
      key.label,
      key.hint,
      when(key.createdAt, ''),
      when(key.lastUsed, 'never'),
      key.madeBy ?? '-',
    ]),
  ]);
}

function statementLines(statement: Statement): readonly string[] {
  if (statement.rows.length === 0) return ['no rows'];
  return [
    ...table([
      ['time', 'what', 'credits', 'balance', 'reference'],
      ...statement.rows.map((row) => [
        when(row.at, ''),
        row.kind,
        row.delta > 0 ? `+${amount(row.delta)}` : amount(row.delta),
        amount(row.balance),
        row.ref,
      ]),
    ]),
    ...(statement.next === null ? [] : [`older rows: --before ${statement.next}`]),
  ];
}
