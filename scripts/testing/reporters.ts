import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

/** In CI a test that fails is tried again: one that passes then is named. */
export const nameFlaky: Reporter = {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky === true) process.stdout.write(`FLAKY: ${test.module.moduleId}: ${test.fullName}\n`);
  },
};

/** Names at the end, each once, what was missing on this machine, and how many tests were skipped for it. */
export const nameMissing: Reporter = {
  onTestRunEnd(modules) {
    const skipped = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const why = needsOf(test);
        if (why !== null) skipped.set(why, (skipped.get(why) ?? 0) + 1);
      }
    }
    for (const [why, tests] of skipped)
      process.stdout.write(`\nSKIPPED: ${tests} ${tests === 1 ? 'test needs' : 'tests need'} ${why}\n`);
  },
};

/** What a skipped test lacks: its note, or what its suites say they need. Null if its file was cut down to others. */
function needsOf(test: TestCase): string | null {
  const result = test.result();
  if (result.state === 'skipped' && result.note !== undefined) return result.note;
  for (let at: TestCase | TestSuite | TestModule = test; at.type !== 'module'; at = at.parent) {
    const { needs } = at.meta();
    if (needs !== undefined) return needs;
  }
  return null;
}

/** What has to be installed for a test to run, and how. */
export type Needs = { needs?: string };

declare module 'vitest' {
  interface TaskMeta extends Needs {}
}
