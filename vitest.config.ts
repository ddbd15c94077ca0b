import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';

// unit: pure code and scripted peers, one process. edge: workerd, D1 and objects through Miniflare.
// conformance: the interface, sentence by sentence, over HTTP: `npm start`, or the service that RCPT_URL names.
// browser: the pages in Debian's Chromium; says so and skips if it is not installed.
// real: the whole path on real mail and DNS servers; says so and skips if they are not installed.
// In CI a test that fails is tried once more, since real servers and browsers share a machine with others; it is named then.
// Projects with different worker counts need different group orders, or vitest runs nothing.
const retry = process.env['CI'] === undefined ? 0 : 1;
const nameFlaky: Reporter = {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky === true) process.stdout.write(`FLAKY: ${test.module.moduleId}: ${test.fullName}\n`);
  },
};

export default defineConfig({
  test: {
    reporters: ['default', nameFlaky],
    projects: [
      {
        test: {
          name: 'unit',
          retry,
          include: ['{schema,prober,edge,scripts}/**/*.test.ts'],
          exclude: [
            '**/*.edge.test.ts',
            '**/*.browser.test.ts',
            '**/*.real.test.ts',
            'scripts/conformance/!(table).test.ts',
          ],
          pool: 'threads',
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'edge',
          retry,
          include: ['{edge,scripts}/**/*.edge.test.ts'],
          pool: 'forks',
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'conformance',
          retry,
          include: ['scripts/conformance/*.test.ts'],
          exclude: ['scripts/conformance/table.test.ts'],
          globalSetup: 'scripts/conformance/testing/setup.ts',
          pool: 'threads',
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
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
          pool: 'forks',
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'real',
          retry,
          include: ['scripts/**/*.real.test.ts'],
          globalSetup: ['scripts/testing/real-setup.ts'],
          pool: 'forks',
          // Some wait for servers that take their time: others go on beside them.
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
