import { type Mutant, mutantsOf, mutated } from './mutants.ts';
import { type Plan, planTests } from './plan-tests.ts';
import type { Fate, Tried } from './report.ts';
import { TestProcess } from './test-process.ts';
import { copyTree, type Tree, type WorkCopy } from './work-copy.ts';

/** A mutant's tests may take this much longer than without it, and as long besides, before it counts as endless. */
const SLOWER = 4;
const PATIENCE_MS = 15_000;

export type Task = { readonly file: string; readonly mutant: Mutant };
type Place = { readonly copy: WorkCopy; readonly process: TestProcess };

/** All mutants of the files, in their order. */
export function tasksFor(tree: Tree, files: readonly string[]): readonly Task[] {
  return files.flatMap((file) => mutantsOf(tree.sources.get(file) ?? '').map((mutant) => ({ file, mutant })));
}

export type Options = {
  /** Of `vitest.config.ts`: whose tests are run. */
  readonly projects: readonly string[];
  /** How many mutants are tried at the same time, each in a copy of the tree. */
  readonly workers: number;
  /** What is going on, a line at a time. */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
};

/**
 * Puts each mutant into a copy of the tree, runs the tests nearest to its file, and says what came of it.
 * @throws what `options.signal` was aborted with; the copies are gone then, too
 */
export async function tryMutants(tree: Tree, tasks: readonly Task[], options: Options): Promise<readonly Tried[]> {
  const places: Place[] = [];
  const leave = (): void => {
    for (const { copy, process } of places.splice(0)) {
      process.end();
      copy.remove();
    }
  };
  options.signal.addEventListener('abort', leave);
  try {
    for (let worker = 0; worker < Math.min(options.workers, tasks.length); worker += 1) {
      const copy = await copyTree(tree);
      places.push({ copy, process: new TestProcess(copy.root, options.projects) });
      options.signal.throwIfAborted();
    }
    const [first] = places;
    if (first === undefined) return [];
    const plans = await planTests(tree, new Set(tasks.map(({ file }) => file)), first.process, options.tell);
    return await shareOut(tree, tasks, plans, places, options);
  } catch (error) {
    options.signal.throwIfAborted();
    throw error;
  } finally {
    options.signal.removeEventListener('abort', leave);
    leave();
  }
}

async function shareOut(
  tree: Tree,
  tasks: readonly Task[],
  plans: ReadonlyMap<string, Plan>,
  places: readonly Place[],
  options: Options,
): Promise<readonly Tried[]> {
  const queue = [...tasks.entries()];
  const tried: Tried[] = [];
  await Promise.all(
    places.map(async (place) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [at, { file, mutant }] = next;
        const source = tree.sources.get(file) ?? '';
        const plan = plans.get(file) ?? { tests: [], tookMs: 0 };
        const fate = await tryMutant(place, file, source, mutant, plan);
        options.signal.throwIfAborted();
        tried[at] = { file, mutant, fate };
        options.tell(`${at + 1}/${tasks.length} ${fate} ${file}:${mutant.line}  ${mutant.after}`);
      }
    }),
  );
  return tried;
}

async function tryMutant(
  { copy, process }: Place,
  file: string,
  source: string,
  mutant: Mutant,
  { tests, tookMs }: Plan,
): Promise<Fate> {
  const [nearest, ...others] = tests;
  if (nearest === undefined) return 'untested';
  await copy.write(file, mutated(source, mutant));
  try {
    const limitMs = tookMs * SLOWER + PATIENCE_MS;
    let run = await process.run([nearest], file, limitMs);
    if (run.kind === 'passed' && others.length > 0) {
      run = await process.run(others, null, limitMs);
      // Tests that start processes fail now and then on a busy machine: twice is no accident.
      if (run.kind === 'failed') run = await process.run(run.file === null ? others : [run.file], null, limitMs);
    }
    if (run.kind === 'timeout') return 'timeout';
    return run.kind === 'failed' ? 'caught' : 'lived';
  } finally {
    await copy.write(file, source);
  }
}
