import { Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { VARIABLES } from '../../edge/config.ts';
import { type Parsed, parseRoute, parseServer, parseStub } from '../../prober/options.ts';
import { UsageError } from '../admin/usage-error.ts';
import { readCommandLine } from '../command-line.ts';

const HOSTS_MAX = 32;
const ASSIGNMENT = /^([A-Z][A-Z0-9_]*)=(.*)$/s;

export type StartOptions = {
  readonly port: number;
  /** Folder that the service goes on from. */
  readonly state: string;
  /** Probe hosts, each a process of its own. */
  readonly hosts: number;
  /** Passed to the hosts, besides what the sandbox needs. */
  readonly dns: readonly string[];
  readonly stub: readonly string[];
  readonly route: readonly string[];
  readonly sandbox: boolean;
  /** Worker variables that replace the local ones. */
  readonly variables: Readonly<Record<string, string>>;
  readonly json: boolean;
};

const optionsSchema = z.object({
  port: z.int(),
  state: z.string(),
  hosts: z.int(),
  dns: z.array(z.string()),
  stub: z.array(z.string()),
  route: z.array(z.string()),
  sandbox: z.boolean(),
  var: z.record(z.string(), z.string()),
  json: z.boolean().default(false),
});

/**
 * What `npm start` was asked for.
 * @param args what follows the program's name
 * @returns the options, or the text of `--help`
 * @throws UsageError in one line
 */
export function parseArguments(args: readonly string[]): StartOptions | { readonly help: string } {
  const command = describe();
  const line = readCommandLine(command, args);
  if (line.kind === 'help') return { help: line.text };
  if (line.kind === 'refused') throw new UsageError(line.message);
  const { var: variables, ...options } = optionsSchema.parse(command.opts());
  if (options.state === '') throw new UsageError('--state must name a folder');
  return { ...options, variables };
}

function describe(): Command {
  return new Command('npm start --')
    .description('The whole service on this machine: edge, probe hosts and a .test mail world to try it on.')
    .option('--port <port>', 'where it serves, on 127.0.0.1; 0 takes a free one', whole(0, 65_535), 8787)
    .option('--state <folder>', 'what it goes on from: database, keys, demo account', '.local')
    .option('--hosts <count>', 'probe hosts', whole(0, HOSTS_MAX), 1)
    .option('--dns <ip:port>', "a resolver instead of the system's (repeatable)", collect(parseServer), [])
    .option('--stub <zone=ip:port>', 'a zone with a server of its own (repeatable)', collect(parseStub), [])
    .option(
      '--route <cidr=port>',
      'a private range dialled on another port than 25 (repeatable)',
      collect(parseRoute),
      [],
    )
    .option('--no-sandbox', 'without the .test mail world')
    .option('--var <name=value>', 'a Worker variable (repeatable)', assign, {})
    .option('--json', 'when ready print one JSON line, and nothing else, on standard output')
    .allowExcessArguments(false)
    .exitOverride();
}

function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,5}$/.test(text) ? Number(text) : -1;
    if (number < min || number > max) throw new InvalidArgumentError(`It must be a whole number, ${min} to ${max}.`);
    return number;
  };
}

/** Checks each value here, before anything starts; the hosts get it as it was written. */
function collect(
  parse: (text: string) => Parsed<unknown>,
): (text: string, before: readonly string[]) => readonly string[] {
  return (text, before) => {
    const parsed = parse(text);
    if (!parsed.ok) throw new InvalidArgumentError(`${parsed.problem}.`);
    return [...before, text];
  };
}

function assign(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, value] = ASSIGNMENT.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be NAME=VALUE.');
  if (!VARIABLES.includes(name))
    throw new InvalidArgumentError(`No variable of the Worker has this name. There are ${VARIABLES.join(', ')}.`);
  return { ...before, [name]: value };
}
