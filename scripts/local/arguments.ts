import { Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { VARIABLES } from '../../edge/base/config.ts';
import { parseRoutes, parseServers, parseStubs } from '../../prober/base/options.ts';
import { UsageError } from '../base/usage-error.ts';
import { listInForm, readCommandLine, wholeNumber } from '../base/command-line.ts';

const HOSTS_MAX = 32;
const ASSIGNMENT = /^([A-Z][A-Z0-9_]*)=(.*)$/s;

export type StartOptions = {
  readonly port: number;
  /** Folder that the service goes on from. */
  readonly state: string;
  /** Probe hosts, each a process of its own. */
  readonly hosts: number;
  /** Passed to the hosts, besides what the sandbox needs, each in the canonical spelling of its form. */
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
  stub: z.array(z.object({ zone: z.string(), server: z.string() })),
  route: z.array(z.object({ cidr: z.string(), port: z.int() })),
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
  const { var: variables, stub, route, ...options } = optionsSchema.parse(command.opts());
  if (options.state === '') throw new UsageError('--state must name a folder');
  return {
    ...options,
    stub: stub.map(({ zone, server }) => `${zone}=${server}`),
    route: route.map(({ cidr, port }) => `${cidr}=${port}`),
    variables,
  };
}

function describe(): Command {
  return new Command('npm start --')
    .description('The whole service on this machine: edge, probe hosts and a .test mail world to try it on.')
    .option('--port <port>', 'where it serves, on 127.0.0.1; 0 takes a free one', wholeNumber(0, 65_535), 8787)
    .option('--state <folder>', 'what it goes on from: database, keys, demo account', '.local')
    .option('--hosts <count>', 'probe hosts', wholeNumber(0, HOSTS_MAX), 1)
    .option('--dns <ip:port>', "a resolver instead of the system's (repeatable)", listInForm(parseServers), [])
    .option('--stub <zone=ip:port>', 'a zone with a server of its own (repeatable)', listInForm(parseStubs), [])
    .option(
      '--route <cidr=port>',
      'a private range dialled on another port than 25 (repeatable)',
      listInForm(parseRoutes),
      [],
    )
    .option('--no-sandbox', 'without the .test mail world')
    .option('--var <name=value>', 'a Worker variable (repeatable)', assign, {})
    .option('--json', 'when ready print one JSON line, and nothing else, on standard output')
    .allowExcessArguments(false)
    .exitOverride();
}

function assign(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, value] = ASSIGNMENT.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be NAME=VALUE.');
  if (!VARIABLES.includes(name))
    throw new InvalidArgumentError(`No variable of the Worker has this name. There are ${VARIABLES.join(', ')}.`);
  return { ...before, [name]: value };
}
