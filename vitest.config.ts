import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { nameFlaky, nameMissing } from './scripts/testing/reporters.ts';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// unit: pure code and scripted peers, in threads that share their modules. process: what is started as a process of its
// own, installed or compiled. edge: workerd, D1 and objects through Miniflare.
// conformance: the interface, sentence by sentence, over HTTP: `npm start`, or the service that RCPT_URL names.
// browser: the pages in Debian's Chromium; skipped if it is not installed.
// real: the whole path on real mail and DNS servers; skipped if they are not installed.
// In CI a test that fails is tried once more, since real servers and browsers share a machine with others; it is named then. What is skipped
// because something is missing is named at the end of the run.
// The groups run one after the other, unit first. What waits for processes, pages and timeouts is one group, with twice
// the workers that two cores have, so that none is idle while a file waits or the last one of a project ends. Projects of one
// group need the same number of workers, or vitest runs nothing.
// A poll ends as soon as what it waits for is there; a second is too little for a page on a busy machine.
const SIDE_BY_SIDE = {
  maxWorkers: 4,
  sequence: { groupOrder: 1 },
  expect: { poll: { timeout: 10_000 } },
} as const;

/** Every Node that a test starts finds what it loads compiled already. */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url));

const retry = process.env['CI'] === undefined ? 0 : 1;

/** These take longest, and are begun first: the last one to end would keep all others waiting. */
const LONGEST = [
  'scripts/rcpt/rcpt.edge.test.ts',
  'scripts/lab/simulate.edge.test.ts',
  'scripts/start.edge.test.ts',
  'edge/dashboard/every-page.browser.test.ts',
  'scripts/sandbox.edge.test.ts',
  'scripts/dashboard/journeys.browser.test.ts',
  'edge/dashboard/lists/run/list-run.browser.test.ts',
  'scripts/client-faults.edge.test.ts',
  'scripts/lab/mta/whole-path.real.test.ts',
  'scripts/lab/load/load.edge.test.ts',
  'edge/dashboard/verify/verify.browser.test.ts',
  'edge/dashboard/lists/lists.browser.test.ts',
  'scripts/deploy/artefact.edge.test.ts',
  'scripts/fleet/join.edge.test.ts',
  'scripts/sick-hosts.edge.test.ts',
  'scripts/privacy.edge.test.ts',
  'scripts/examples.edge.test.ts',
];

function placeOf({ moduleId }: TestSpecification): number {
  const at = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
  return at === -1 ? LONGEST.length : at;
}

/** Without the times of an earlier run vitest goes by the sizes of files, which say little. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await BaseSequencer.prototype.sort.call(this, files);
    return bySize.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: ['default', nameFlaky, nameMissing],
    projects: [
      {
        test: {
          name: 'unit',
          retry,
          include: ['{schema,prober,edge,scripts}/**/*.test.ts'],
          exclude: [
            '**/*.process.test.ts',
            '**/*.edge.test.ts',
            '**/*.browser.test.ts',
            '**/*.real.test.ts',
            'scripts/conformance/!(table).test.ts',
          ],
          pool: 'threads',
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
          // Some count to a million: how long that takes is the machine's affair.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'process',
          retry,
          include: ['scripts/**/*.process.test.ts'],
          pool: 'forks',
          isolate: false,
          ...SIDE_BY_SIDE,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'edge',
          retry,
          include: ['{edge,scripts}/**/*.edge.test.ts'],
          pool: 'forks',
          // Miniflare is loaded once for all files of a worker.
          isolate: false,
          ...SIDE_BY_SIDE,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'conformance',
          retry,
          include: ['scripts/conformance/*.test.ts'],
          exclude: ['scripts/conformance/table.test.ts'],
          globalSetup: 'scripts/conformance/testing/setup.ts',
          // Each file loads its modules anew, and so has a key of its own: two files would pass one key's limit.
          pool: 'threads',
          ...SIDE_BY_SIDE,
          // A live service may make a test wait for its key's next window.
          testTimeout: process.env['RCPT_URL'] === undefined ? 30_000 : 150_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          retry,
          include: ['{edge,scripts}/**/*.browser.test.ts'],
          globalSetup: 'edge/dashboard/testing/setup.ts',
          pool: 'forks',
          // One browser for all files of a worker.
          isolate: false,
          ...SIDE_BY_SIDE,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'real',
          retry,
          include: ['scripts/**/*.real.test.ts'],
          pool: 'forks',
          ...SIDE_BY_SIDE,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
