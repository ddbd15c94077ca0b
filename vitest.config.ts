import { defineConfig } from 'vitest/config';

// unit: pure code and scripted peers, one process. edge: workerd, D1 and objects through Miniflare.
// conformance: the interface, sentence by sentence, over HTTP: `npm start`, or the service that RCPT_URL names.
// browser: the pages in Debian's Chromium; says so and skips if it is not installed.
// real: the whole path on real mail and DNS servers; says so and skips if they are not installed.
// Projects with different worker counts need different group orders, or vitest runs nothing.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
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
          include: ['scripts/**/*.real.test.ts'],
          globalSetup: ['scripts/testing/real-setup.ts'],
          pool: 'forks',
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
