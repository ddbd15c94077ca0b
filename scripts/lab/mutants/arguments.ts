import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { posix } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { readCommandLine } from '../../base/command-line.ts';

export type Options = {
  /** The files to put bugs into: sources, no tests. */
  readonly files: readonly string[];
  /** Infinity: all of them. */
  readonly max: number;
  readonly seed: number;
  readonly json: boolean;
  /** Percent. */
  readonly atLeast: number;
  readonly workers: number;
  readonly projects: readonly string[];
};

export type Arguments =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'help'; readonly text: string }
  /** One line that says what to do. */
  | { readonly kind: 'refused'; readonly message: string };

const NOT_MUTATED = /\.(?:test|config|d)\.ts$|(?:^|\/)testing\//;
/** What runs on one machine without a word to anyone: `conformance` asks a service, `real` wants servers. */
const PROJECTS = ['unit', 'edge'];
const SEED_MAX = 2 ** 31 - 1;

const optionsSchema = z.object({
  max: z.number().default(Infinity),
  seed: z.int(),
  json: z.boolean().default(false),
  atLeast: z.number(),
  workers: z.int(),
  project: z.array(z.string()),
});

/**
 * What `npm run mutants` was asked for.
 * @param tree every file there is, relative to the root
 */
export function readArguments(args: readonly string[], tree: readonly string[]): Arguments {
  const command = createCommand();
  const read = readCommandLine(command, args);
  if (read.kind !== 'read') return read;
  const files: string[] = [];
  for (const path of command.args) {
    const found = tree.filter((file) => isIn(file, posix.join(path, '.')));
    const sources = found.filter((file) => file.endsWith('.ts') && !NOT_MUTATED.test(file));
    if (sources.length === 0)
      return { kind: 'refused', message: `no TypeScript source in ${path}: name a folder or a file of this tree` };
    files.push(...sources);
  }
  const { project, ...options } = optionsSchema.parse(command.opts());
  return { kind: 'run', options: { ...options, projects: project, files: [...new Set(files)] } };
}

function isIn(file: string, path: string): boolean {
  return file === path || path === '.' || file.startsWith(`${path}/`);
}

function createCommand(): Command {
  return new Command('mutants')
    .description(
      'Puts small bugs into a copy of the code, one at a time, runs the tests nearest to it, and lists the bugs that no test saw.',
    )
    .argument('<path...>', 'folders or files to put bugs into')
    .option('--max <count>', 'try no more than this, chosen at random', whole(1, 1_000_000))
    .option('--seed <number>', 'repeats the choice of an earlier run', whole(0, SEED_MAX), randomInt(SEED_MAX))
    .option('--workers <count>', 'how many at a time', whole(1, 64), Math.ceil(availableParallelism() / 2))
    .option('--project <name>', 'run the tests of this vitest project; may be given more than once', collect, PROJECTS)
    .option('--at-least <percent>', 'exit with 1 if fewer are caught', whole(0, 100), 0)
    .option('--json', 'one JSON document instead of a text')
    .exitOverride();
}

function collect(name: string, before: readonly string[]): readonly string[] {
  return before === PROJECTS ? [name] : [...before, name];
}

function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`expected a whole number, ${min} to ${max}.`);
  };
}
