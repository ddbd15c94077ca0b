import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { nameFlaky, nameMissing } from './scripts/testing/reporters.ts';
import { LongestFirst } from './scripts/testing/longest-first.ts';
import { filesOf } from './scripts/testing/which-files.ts';

// `npm test` runs what a newcomer and a developer need, `npm run test:long` the rest: see scripts/testing/which-files.ts.
// In CI a test that fails is tried once more, since real servers and browsers share a machine with others, and is named.
// What is skipped because something is missing is named at the end of the run.

/** Every Node that a test starts finds what it loads compiled already. */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url));

const ALL = {
  retry: process.env['CI'] === undefined ? 0 : 1,
  // All projects run at once, for which they need the same number of workers: more than cores, since many only wait, and
  // the long ones most of all.
  maxWorkers: process.env['TESTS'] === 'long' ? 5 : 4,
  // A poll ends as soon as what it waits for is there; a second is too little for a page on a busy machine.
  expect: { poll: { timeout: 10_000 } },
  testTimeout: 30_000,
  hookTimeout: 60_000,
} as const;
/** Files of one worker share their modules, and with them a browser, a workerd, and Miniflare's code. */
const SHARED = { pool: 'forks', isolate: false } as const;

const PROJECTS: readonly Required<Pick<TestProjectInlineConfiguration, 'test'>>[] = [
  {
    // Pure code and scripted peers. Some count to a million: how long that takes is the machine's affair.
    test: { ...ALL, name: 'unit', include: filesOf('unit'), pool: 'threads', isolate: false, testTimeout: 60_000 },
  },
  {
    // What is started as a process of its own, installed or compiled.
    test: { ...ALL, ...SHARED, name: 'process', include: filesOf('process') },
  },
  {
    // workerd, D1 and objects through Miniflare; in scripts/ the whole service.
    test: { ...ALL, ...SHARED, name: 'edge', include: filesOf('edge') },
  },
  {
    // The interface, sentence by sentence, over HTTP: one `npm start` for all, or the service that RCPT_URL names.
    test: {
      ...ALL,
      name: 'conformance',
      include: filesOf('conformance'),
      globalSetup: 'scripts/conformance/testing/setup.ts',
      // Each file loads its modules anew, and so has a key of its own: two files would pass one key's limit.
      pool: 'threads',
      // A live service may make a test wait for its key's next window.
      testTimeout: process.env['RCPT_URL'] === undefined ? 30_000 : 150_000,
    },
  },
  {
    // The pages in Debian's headless Chromium; skipped if it is not installed.
    test: {
      ...ALL,
      ...SHARED,
      name: 'browser',
      include: filesOf('browser'),
      globalSetup: 'edge/dashboard/testing/setup.ts',
    },
  },
  {
    // The whole path on real mail servers; skipped if they are not installed.
    test: { ...ALL, name: 'real', include: filesOf('real'), pool: 'forks', testTimeout: 60_000 },
  },
];

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: ['default', nameFlaky, nameMissing],
    projects: PROJECTS.filter(({ test }) => test?.include?.length !== 0),
  },
});
