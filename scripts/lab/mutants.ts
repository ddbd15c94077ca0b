import { randomInt } from 'node:crypto';
import { posix } from 'node:path';
import { Command, Option } from 'commander';
import { wholeNumber } from '../base/command-line.ts';
import { type Mutant, mutantsOf, mutated } from './mutants/mutants-of.ts';
import { nearTests } from './mutants/near-tests.ts';
import { WorkCopy } from './mutants/work-copy.ts';
import { seededRandom } from './random.ts';

// `npm run -s mutants`: puts small bugs into the code, one at a time, and lists those that no test sees.

const NOT_MUTATED = /\.(?:test|config|d)\.ts$|(?:^|\/)testing\//;
/** Tests that ask a running service. */
const NOT_HERE = /^scripts\/conformance\//;
const PROJECTS = ['unit', 'edge'] as const;
/** Of the tests that reach a file, only the nearest are run. */
const TESTS_MAX = 8;
/** How much longer tests may take with a bug in the code before it counts as endless, and so as caught. */
const SLOWER = 4;
const PATIENCE_MS = 15_000;
const FIRST_RUN_MS = 300_000;

type Options = {
  readonly max: number;
  readonly seed: number;
  readonly project: (typeof PROJECTS)[number];
  readonly atLeast: number;
};

const command = new Command('mutants')
  .description('Puts small bugs into a copy of the code, runs the tests nearest to each, and lists the bugs that live.')
  .argument('<path...>', 'folders or files to put bugs into')
  .option('--max <count>', 'try no more than this many, chosen at random', wholeNumber(1, 100_000), 100)
  .option('--seed <number>', 'repeats the choice of an earlier run', wholeNumber(0, 999_999), randomInt(999_999))
  .addOption(new Option('--project <name>', 'whose tests are run').choices(PROJECTS).default('unit'))
  .option('--at-least <percent>', 'exit with 1 if fewer are caught', wholeNumber(0, 100), 0)
  .parse();
const { max, seed, project, atLeast } = command.opts<Options>();

const copy = new WorkCopy(process.cwd());
process.once('exit', () => copy.remove());
// One that arrives twice, as under npm, must not end what `exit` still has to remove.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

const tell = (line: string): void => void process.stderr.write(`mutants: ${line}\n`);
const isTest = (path: string): boolean =>
  path.endsWith('.test.ts') &&
  !NOT_HERE.test(path) &&
  (/\.(edge|browser|real)\.test\.ts$/.exec(path)?.[1] ?? 'unit') === project;
const isUnder = (file: string, path: string): boolean =>
  path === '.' || file === path || file.startsWith(`${path.replace(/\/$/, '')}/`);

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 160);

type Task = { readonly file: string; readonly source: string; readonly mutant: Mutant };

async function tasks(): Promise<readonly Task[]> {
  const paths = command.args.map((path) => posix.normalize(path));
  const all: Task[] = [];
  for (const [file, source] of copy.sources)
    if (!NOT_MUTATED.test(file) && paths.some((path) => isUnder(file, path)))
      for (const mutant of await mutantsOf(file, source)) all.push({ file, source, mutant });
  if (all.length === 0) command.error('mutants: nothing to put a bug into: name a folder or a file of this tree');
  const random = seededRandom(seed);
  const chosen = all
    .map((task) => ({ task, at: random.whole(0, 2 ** 31) }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, max)
    .map(({ task }) => task);
  tell(`${chosen.length} of ${all.length} mutants, --seed ${seed}`);
  // In the order of the tree: the tests of a file are timed once.
  return all.filter((task) => chosen.includes(task));
}

type Plan = { readonly tests: readonly string[]; readonly limitMs: number };

/** The tests of a file and how long they may take; null if they fail as the code is, twice. */
async function planFor(file: string): Promise<Plan | null> {
  const tests = nearTests(file, copy.sources, isTest).slice(0, TESTS_MAX);
  if (tests.length === 0) return { tests, limitMs: 0 };
  for (let tries = 1; tries <= 2; tries += 1) {
    const startMs = performance.now();
    const ran = await copy.run(tests, project, FIRST_RUN_MS);
    if (ran === 'passed') return { tests, limitMs: SLOWER * (performance.now() - startMs) + PATIENCE_MS };
  }
  return null;
}

/** Whether no test sees the bug. */
async function lives({ file, source, mutant }: Task, { tests, limitMs }: Plan): Promise<boolean> {
  if (tests.length === 0) return true;
  copy.write(file, mutated(source, mutant));
  const ran = await copy.run(tests, project, limitMs);
  copy.write(file, source);
  return ran === 'passed';
}

const plans = new Map<string, Plan | null>();
let [tried, lived] = [0, 0];
for (const task of await tasks()) {
  const { file, mutant } = task;
  const plan = plans.get(file) ?? (plans.has(file) ? null : await planFor(file));
  if (!plans.has(file)) {
    const why = plan === null ? 'left out, its tests fail without a bug' : plan.tests.join(' ') || 'no test reaches it';
    tell(`${file}: ${why}`);
    plans.set(file, plan);
  }
  if (plan === null) continue;
  tried += 1;
  if (!(await lives(task, plan))) continue;
  lived += 1;
  process.stdout.write(`${file}:${mutant.line}  ${oneLine(mutant.before)}  →  ${oneLine(mutant.after)}\n`);
}
process.stdout.write(`${tried - lived} of ${tried} caught, ${lived} lived\n`);
process.exit(tried === 0 || (100 * (tried - lived)) / tried < atLeast ? 1 : 0);
