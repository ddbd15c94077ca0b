import { existsSync } from 'node:fs';
import { join } from 'node:path';

// What `install-runtimes.sh` has installed for the tests of the packages.

const MODULES = '/usr/local/lib/rcpt-runtimes/node_modules';

/** For a test that needs them: skipped and named where they are not, but not in CI, which installs them. */
export const NEEDS_RUNTIMES = {
  skip: !existsSync(MODULES) && process.env['CI'] === undefined,
  meta: { needs: 'runtimes from npm (scripts/testing/install-runtimes.sh)' },
};

/** Run JavaScript as customers may. */
export const RUNTIMES = [
  { name: 'Node 22.18', command: join(MODULES, 'node22/bin/node'), args: [], needs: NEEDS_RUNTIMES },
  { name: 'Node 26', command: join(MODULES, 'node26/bin/node'), args: [], needs: NEEDS_RUNTIMES },
  { name: 'Bun', command: join(MODULES, 'bun/bin/bun'), args: [], needs: NEEDS_RUNTIMES },
  {
    name: 'Deno',
    command: join(MODULES, 'deno/deno'),
    args: ['run', '--allow-all', '--node-modules-dir=manual'],
    needs: NEEDS_RUNTIMES,
  },
] as const;

/** Older than anything that is served. */
export const NODE_20 = join(MODULES, 'node20/bin/node');
export const JEST = join(MODULES, 'jest/bin/jest.js');
export const TYPESCRIPTS = ['50', '54', '59'].map((version) => join(MODULES, `typescript${version}/bin/tsc`));
