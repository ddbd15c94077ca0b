import { Command, CommanderError } from 'commander';
import { accountCommand } from './commands/account-command.ts';
import { AdminError } from './connection/client.ts';
import { DEFAULT_OPERATOR_KEY, DEFAULT_URL } from './connection/connection.ts';
import { creditsCommand } from './commands/credits-command.ts';
import { edgeKeyCommand } from './commands/edge-key-command.ts';
import { fleetCommand } from './commands/fleet-command.ts';
import { hostCommand } from './commands/host-command.ts';
import { keyCommand } from './commands/key-command.ts';
import { orderCommand } from './commands/order-command.ts';
import { operatorKeyCommand } from './commands/operator-key-command.ts';
import { optOutCommand } from './commands/opt-out-command.ts';
import { statusCommand } from './commands/status-command.ts';
import { contain, refusalOf } from '../base/command-line.ts';
import { UsageError } from '../base/usage-error.ts';

const DONE = 0;
const REFUSED = 1;
const BAD_INPUT = 2;

export type Streams = { readonly out: (text: string) => void; readonly err: (text: string) => void };
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Runs one command of the operator.
 * @param args what follows the program's name
 * @returns the exit code: 0 done, 1 refused or not answered, 2 bad input; the last two with one line on `err`
 */
export async function runAdmin(args: readonly string[], variables: Variables, streams: Streams): Promise<number> {
  const program = buildProgram(variables, streams);
  try {
    await program.parseAsync(args, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return DONE;
    const [code, line] = explain(error);
    streams.err(`${line.replaceAll(/\s+/g, ' ').trim()}\n`);
    return code;
  }
}

function explain(error: unknown): readonly [code: number, line: string] {
  if (error instanceof UsageError) return [BAD_INPUT, error.message];
  if (error instanceof AdminError) return [REFUSED, error.message];
  if (!(error instanceof CommanderError)) throw error;
  return [BAD_INPUT, `${refusalOf(error)} (see --help)`];
}

function buildProgram(variables: Variables, streams: Streams): Command {
  const setIn = (name: string): string | undefined => (variables[name] === '' ? undefined : variables[name]);
  const program = new Command('admin')
    .description('Operates a deployment: accounts, API keys, credits, probe hosts.')
    .option('--url <origin>', "the deployment's address", setIn('RCPT_URL') ?? DEFAULT_URL)
    .option('--operator-key <file>', 'your operator key', setIn('RCPT_OPERATOR_KEY') ?? DEFAULT_OPERATOR_KEY)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nRCPT_URL and RCPT_OPERATOR_KEY set the defaults. Exit codes: 0 done, 1 refused or no answer, 2 bad input.',
    );
  program.addCommand(accountCommand(streams.out));
  program.addCommand(keyCommand(streams.out));
  program.addCommand(creditsCommand(streams.out));
  program.addCommand(orderCommand(streams.out));
  program.addCommand(hostCommand(streams.out));
  program.addCommand(fleetCommand(streams.out));
  program.addCommand(optOutCommand(streams.out));
  program.addCommand(statusCommand(streams.out));
  program.addCommand(operatorKeyCommand(streams.out));
  program.addCommand(edgeKeyCommand(streams.out));
  for (const group of [program, ...program.commands])
    for (const command of [group, ...group.commands]) command.configureHelp({ showGlobalOptions: true });
  contain(program, streams.out);
  return program;
}
