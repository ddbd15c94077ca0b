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
  ['edge/keys/key.test.ts', "import '../clock.ts'; import '../rows.ts';"],
  ['prober/clock.test.ts', "import '../edge/clock.ts';"],
  ['scripts/edge/start.test.ts', "run('edge/worker.ts');"],
  ['scripts/rows.test.ts', "import '../edge/rows.ts'; import '../edge/local/port.ts';"],
  ['edge/local/port.ts', ''],
  ['scripts/loop.ts', "import './loop.ts';"],
]);
const COSTLY = new Set(['edge/money.test.ts', 'edge/keys/key.test.ts']);
const TESTS = new Map(
  [...SOURCES.keys()].filter((file) => file.endsWith('.test.ts')).map((file) => [file, COSTLY.has(file) ? 1 : 0]),
);
const near = (file: string, tests: ReadonlyMap<string, number> = TESTS): readonly string[] =>
  testsNear(file, usersIn(SOURCES), tests);

describe('testsNear', () => {
  it('reaches through imports, bundles and processes, the nearest first', () => {
    const alike = new Map([...TESTS.keys()].map((test) => [test, 0]));
    expect(near('edge/hold.ts', alike)).toEqual([
      'edge/hold.test.ts',
      'scripts/edge/start.test.ts',
      'edge/money.test.ts',
    ]);
  });

  it('does without costly tests if the folder has a cheap one', () => {
    expect(near('edge/hold.ts')).toEqual(['edge/hold.test.ts', 'scripts/edge/start.test.ts']);
  });

  it('takes costly tests if the folder has no other', () => {
    expect(near('edge/rows.ts')).toEqual(['edge/keys/key.test.ts']);
  });

  it('asks the other sides of the tree only if its own has no test', () => {
    expect(near('edge/clock.ts')).not.toContain('prober/clock.test.ts');
    expect(near('edge/local/port.ts')).toEqual(['scripts/rows.test.ts']);
  });

  it('knows that types alone reach nothing', () => {
    expect(near('edge/rows.ts')).not.toContain('edge/hold.test.ts');
  });

  it('ends where files import each other', () => {
    expect(near('scripts/loop.ts')).toEqual([]);
  });
});
