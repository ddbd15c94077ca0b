import { Command, CommanderError } from 'commander';
import { EXIT_CODES } from '../../schema/list-job/problems.ts';
import { contain, refusalOf, wholeNumber } from '../base/command-line.ts';
import { addBouncesCommand } from './bounces/bounces.ts';
import { clientOf, connect, type ConnectionOptions, login } from './account/connection.ts';
import { logout } from './account/login.ts';
import { tellStatus } from './account/status.ts';
import { explain } from './failure/explain.ts';
import { Failure, Interrupted } from './failure/failure.ts';
import manifest from './package.json' with { type: 'json' };
import { addConnectionOptions, addVerifyOptions, requestOf } from './verify/request.ts';
import { verify } from './verify/verify.ts';
import { harmlessLine, sentence, several } from './words/words.ts';
import type { Environment } from './environment/environment.ts';

const EXIT_CODE_HELP = `
Exit codes:
  0    done
${Object.values(EXIT_CODES)
  .map(([code, meaning]) => `  ${code}    ${meaning}`)
  .join('\n')}
  129, 130, 143    stopped by SIGHUP, Ctrl-C, SIGTERM`;

const VERIFY_HELP = `
A run that is stopped, killed or out of credits leaves a journal beside the output file; --resume continues from it.
${EXIT_CODE_HELP}`;

/**
 * Runs one command of the customer.
 * @param args what follows the program's name
 * @returns the exit code; why it is not 0 stands on standard error
 */
export async function runProgram(args: readonly string[], environment: Environment): Promise<number> {
  let exitCode = 0;
  const program = programOf(environment, (code) => (exitCode = code));
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const failure = failureOf(error);
    environment.messages.write(`rcpt: ${harmlessLine(failure.message)}\n`);
    return failure.exitCode;
  }
}

function failureOf(error: unknown): Failure | Interrupted {
  if (error instanceof Interrupted) return error;
  if (!(error instanceof CommanderError)) return explain(error);
  return new Failure('usage', `${sentence(refusalOf(error))}. rcpt --help says more.`);
}

function programOf(environment: Environment, end: (exitCode: number) => void): Command {
  const program = new Command('rcpt')
    .description('Verifies lists of email addresses with the service rcpt.')
    .version(manifest.version)
    .addHelpText('after', EXIT_CODE_HELP);
  const verifying = program
    .command('verify')
    .description('verify a list: keep its columns and add the verdicts as new ones; or verify addresses');
  addConnectionOptions(addVerifyOptions(verifying))
    .addHelpText('after', VERIFY_HELP)
    .action(async (inputs: readonly string[]) => end(await verify(requestOf(inputs, verifying), environment)));
  addBouncesCommand(program, environment);
  addConnectionOptions(program.command('credits').description('show the credits left on the account'))
    .option('--json', 'as one JSON object')
    .action((flags: Flags) => tellCredits(flags, environment));
  addConnectionOptions(program.command('status').description('check that the service is reached and accepts the key'))
    .option('--json', 'as one JSON object')
    .action(async (flags: Flags) => {
      await tellStatus(await connect(flags, environment), flags.json === true, environment);
    });
  program
    .command('login')
    .description('ask for an API key, check it, and store it in a file that only you can read')
    .option('--url <url>', 'address of the service (default: RCPT_URL, else that of the last login)')
    .action((flags: Flags) => tellLogin(flags, environment));
  program
    .command('logout')
    .description('remove the stored API key')
    .action(() => tellLogout(environment));
  addConnectionOptions(program.command('mcp'))
    .description('serve an assistant over the Model Context Protocol (standard input and output)')
    .option(
      '--max-credits <credits>',
      'credits that the assistant may spend while this runs',
      wholeNumber(0, 1_000_000_000),
      1_000,
    )
    .action((flags: McpFlags) => serve(flags, environment));
  contain(program, (text) => environment.output.write(text));
  return program;
}

/** What commander reads for the others. */
type Flags = ConnectionOptions & { readonly json?: true };
type McpFlags = Flags & { readonly maxCredits: number };

async function tellCredits({ json, ...flags }: Flags, environment: Environment): Promise<void> {
  const connection = await connect(flags, environment);
  const credits = await clientOf(connection, environment, 'quick').credits({ signal: environment.stop });
  environment.output.write(json === true ? `${JSON.stringify({ credits })}\n` : `${several(credits, 'credit')}\n`);
}

async function tellLogin({ url }: Flags, environment: Environment): Promise<void> {
  const done = await login(url, environment);
  environment.messages.write(
    `Logged in to ${done.url}: ${several(done.credits, 'credit')}. The key is kept in ${done.keptIn}.\n`,
  );
}

async function tellLogout(environment: Environment): Promise<void> {
  const url = await logout(environment);
  environment.messages.write(url === null ? 'You were not logged in.\n' : `The key for ${url} was removed.\n`);
}

async function serve({ maxCredits, ...flags }: McpFlags, environment: Environment): Promise<void> {
  const connection = await connect(flags, environment);
  // Loaded late: it is most of the program.
  const { serveMcp } = await import('./mcp/server.ts');
  await serveMcp(clientOf(connection, environment, 'served'), maxCredits, manifest.version, environment);
}
