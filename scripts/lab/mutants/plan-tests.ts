import { testsNear, usersIn } from './near-tests.ts';
import type { TestProcess } from './test-process.ts';
import type { Tree } from './work-copy.ts';

/** Of the tests that reach a file the nearest are run: of so many, as many as together take no longer than this. */
const TESTS_MAX = 12;
const TESTS_MS = 60_000;
/** The nearest of all is run however long it takes, if it ends at all. */
const NEAREST_MS = 300_000;

export type Plan = {
  /** The nearest first. */
  readonly tests: readonly string[];
  /** How long they take together as the tree is. */
  readonly tookMs: number;
};

/** Chooses the tests of each file, by running those that come into question once. */
export async function planTests(
  tree: Tree,
  files: ReadonlySet<string>,
  process: TestProcess,
  tell: (line: string) => void,
): Promise<ReadonlyMap<string, Plan>> {
  const tests = await process.listTests();
  const users = usersIn(tree.sources);
  const clock = new TestClock(process, tell);
  const plans = new Map<string, Plan>();
  for (const file of files) {
    const chosen: string[] = [];
    let tookMs = 0;
    for (const test of testsNear(file, users, tests).slice(0, TESTS_MAX)) {
      const ms = await clock.timeOf(test, chosen.length === 0 ? NEAREST_MS : TESTS_MS);
      if (ms === Infinity || (chosen.length > 0 && tookMs + ms > TESTS_MS)) continue;
      chosen.push(test);
      tookMs += ms;
    }
    plans.set(file, { tests: chosen, tookMs });
    tell(`${file}: ${chosen.length === 0 ? 'no test reaches it' : chosen.join(' ')}`);
  }
  return plans;
}

/** How long tests take, each run once. */
class TestClock {
  readonly #process: TestProcess;
  readonly #tell: (line: string) => void;
  readonly #known = new Map<string, { readonly tookMs: number; readonly limitMs: number }>();

  constructor(process: TestProcess, tell: (line: string) => void) {
    this.#process = process;
    this.#tell = tell;
  }

  /** Infinity for a test that takes longer than `limitMs`, or fails, and so tells nothing about a mutant. */
  async timeOf(test: string, limitMs: number): Promise<number> {
    const known = this.#known.get(test);
    if (known !== undefined && (known.tookMs < Infinity || known.limitMs >= limitMs)) return known.tookMs;
    const start = performance.now();
    const run = await this.#process.run([test], null, limitMs);
    const tookMs = run.kind === 'passed' ? performance.now() - start : Infinity;
    if (run.kind === 'failed') this.#tell(`${test} fails without a mutant (${run.test}), and is left out`);
    this.#known.set(test, { tookMs, limitMs: run.kind === 'failed' ? Infinity : limitMs });
    return tookMs;
  }
}
