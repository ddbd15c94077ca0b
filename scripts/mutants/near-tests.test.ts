import { describe, expect, it } from 'vitest';
import { testsNear, usersIn } from './near-tests.ts';

const SOURCES = new Map([
  ['edge/hold.ts', "import { now } from './clock.ts';\nimport type { Row } from './rows.ts';"],
  ['edge/clock.ts', ''],
  ['edge/rows.ts', ''],
  ['edge/worker.ts', "export { hold } from './hold.ts';"],
  ['edge/bundle.ts', "const ENTRY = new URL('./worker.ts', import.meta.url);"],
  ['edge/hold.test.ts', "import { hold } from './hold.ts';"],
  ['edge/money.test.ts', "import { bundle } from './bundle.ts';"],
  ['prober/clock.test.ts', "import '../edge/clock.ts';"],
  ['scripts/edge/start.test.ts', "run('edge/worker.ts');"],
  ['scripts/loop.ts', "import './loop.ts';"],
]);
const TESTS = new Set([...SOURCES.keys()].filter((file) => file.endsWith('.test.ts')));
const near = (file: string): readonly string[] => testsNear(file, usersIn(SOURCES), TESTS);

describe('testsNear', () => {
  it('reaches through imports, bundles and processes, the nearest first', () => {
    expect(near('edge/hold.ts')).toEqual(['edge/hold.test.ts', 'scripts/edge/start.test.ts', 'edge/money.test.ts']);
  });

  it('puts the tests of its own folder before those of others', () => {
    expect(near('edge/clock.ts').at(-1)).toBe('prober/clock.test.ts');
  });

  it('knows that types alone reach nothing', () => {
    expect(near('edge/rows.ts')).toEqual([]);
  });

  it('ends where files import each other', () => {
    expect(near('scripts/loop.ts')).toEqual([]);
  });
});
