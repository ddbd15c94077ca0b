import { Command, InvalidArgumentError } from 'commander';
import { VARIABLES } from '../../edge/base/config.ts';
import { parseRoutes, parseServers, parseStubs, routeText, type Stub } from '../../prober/base/options.ts';
import type { Route } from '../../prober/engine/ports/settings.ts';
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

/** The options below, each as its parser returns it. */
type Given = Pick<StartOptions, 'port' | 'state' | 'hosts' | 'dns' | 'sandbox'> & {
  readonly stub: readonly Stub[];
  readonly route: readonly Route[];
  readonly var: StartOptions['variables'];
  readonly json?: true;
};

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
  const { var: variables, stub, route, json = false, ...options } = command.opts<Given>();
  if (options.state === '') throw new UsageError('--state: expected the name of a folder');
  return {
    ...options,
    stub: stub.map(({ zone, server }) => `${zone}=${server}`),
    route: route.map(routeText),
    variables,
    json,
  };
}

function describe(): Command {
  return new Command('npm start --')
    .description(
      'Runs the whole service on this machine: edge, probe hosts, and a sandbox of .test mail servers to try it on.',
    )
    .option('--port <port>', 'port to serve on, at 127.0.0.1; 0 takes a free one', wholeNumber(0, 65_535), 8787)
    .option('--state <folder>', 'folder that keeps the database, the keys and the demo account', '.local')
    .option('--hosts <count>', 'probe hosts', wholeNumber(0, HOSTS_MAX), 1)
    .option('--dns <ip:port>', "a resolver to use instead of the system's (repeatable)", listInForm(parseServers), [])
    .option('--stub <zone=ip:port>', 'the name server of one zone (repeatable)', listInForm(parseStubs), [])
    .option(
      '--route <cidr=[ip:]port>',
      'a private address range to dial on this port instead of 25, at this loopback address if one is given (repeatable)',
      listInForm(parseRoutes),
      [],
    )
    .option('--no-sandbox', 'do not start the .test mail servers')
    .option('--var <name=value>', 'a Worker variable (repeatable)', assign, {})
    .option('--json', 'when ready, print one line of JSON and nothing else on standard output')
    .allowExcessArguments(false);
}

function assign(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, value] = ASSIGNMENT.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('expected NAME=VALUE.');
  if (!VARIABLES.includes(name))
    throw new InvalidArgumentError(`the Worker has no variable of this name; it has ${VARIABLES.join(', ')}.`);
  return { ...before, [name]: value };
}
