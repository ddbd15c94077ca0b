import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Which test files a run has. TESTS=short, which `npm test` says, is everything pure, the edge's, the conformance suite, and
// a smoke test each of the customers' command, of `npm start` and of the pages, except two searches. TESTS=long, as
// `npm run test:long` has it, is all the rest, and the short ones that search at random, which search five times as long
// then (FUZZ). Without TESTS, as in `npx vitest run FILE`, no file is left out.

const ROOT = join(import.meta.dirname, '../..');
const SMOKE: ReadonlySet<string> = new Set(['scripts/readme.browser.test.ts', 'scripts/rcpt/package.process.test.ts']);
/** Searches that take a quarter of a minute of a core even if they search little. */
const SEARCHES: ReadonlySet<string> = new Set(['edge/ledger/any-sequence.edge.test.ts', 'scripts/input-cost.test.ts']);
const CONFORMANCE = 'scripts/conformance/';
/** They call the same running service as the conformance suite, and are no part of it. */
const CALLS_SERVICE = '.service.test.ts';

const SUFFIXED = ['process', 'edge', 'browser', 'real'] as const;
export type Kind = 'unit' | 'conformance' | (typeof SUFFIXED)[number];

const all = globSync('{schema,prober,edge,scripts}/**/*.test.ts', { cwd: ROOT }).filter((file) => isRun(file));

/** The files of a project, by what stands before `.test.ts`. @returns their paths from the root */
export function filesOf(kind: Kind): string[] {
  return all.filter((file) => kindOf(file) === kind);
}

function kindOf(file: string): Kind {
  if (file.startsWith(CONFORMANCE) || file.endsWith(CALLS_SERVICE)) return 'conformance';
  return SUFFIXED.find((kind) => file.endsWith(`.${kind}.test.ts`)) ?? 'unit';
}

function isRun(file: string): boolean {
  const { TESTS } = process.env;
  if (TESTS === 'short') return !isLong(file);
  if (TESTS === 'long') return isLong(file) || readFileSync(join(ROOT, file), 'utf8').includes("/testing/fuzz.ts'");
  return true;
}

function isLong(file: string): boolean {
  if (SMOKE.has(file)) return false;
  if (SEARCHES.has(file)) return true;
  switch (kindOf(file)) {
    case 'unit':
      return false;
    case 'conformance':
      return file.endsWith(CALLS_SERVICE);
    case 'edge':
      return file.startsWith('scripts/');
    case 'process':
    case 'browser':
    case 'real':
      return true;
  }
}
