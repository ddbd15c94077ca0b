import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.ts';

const TREE = ['edge/a.ts', 'edge/a.test.ts', 'edge/testing/b.ts', 'edge/keys/c.ts', 'edges/d.ts', 'README.md'];
const filesOf = (...args: readonly string[]): unknown => {
  const read = readArguments(args, TREE);
  return read.kind === 'run' ? read.options.files : read;
};

describe('readArguments', () => {
  it.each<[args: readonly string[], files: readonly string[]]>([
    [['edge'], ['edge/a.ts', 'edge/keys/c.ts']],
    [['./edge/'], ['edge/a.ts', 'edge/keys/c.ts']],
    [
      ['edge/keys/c.ts', 'edge'],
      ['edge/keys/c.ts', 'edge/a.ts'],
    ],
    [['.'], ['edge/a.ts', 'edge/keys/c.ts', 'edges/d.ts']],
  ])('takes the sources of %j, each once, and no tests', (args, files) => {
    expect(filesOf(...args)).toEqual(files);
  });

  it.each([[[]], [['nowhere']], [['README.md']], [['edge/a.test.ts']], [['edge', '--max', '0']], [['edge', '--wat']]])(
    'refuses %j',
    (args) => {
      expect(readArguments(args, TREE).kind).toBe('refused');
    },
  );

  it('reads the options', () => {
    const args = [
      'edge',
      '--max',
      '5',
      '--seed',
      '7',
      '--at-least',
      '85',
      '--workers',
      '3',
      '--project',
      'unit',
      '--json',
    ];
    expect(readArguments(args, TREE)).toMatchObject({
      kind: 'run',
      options: { max: 5, seed: 7, atLeast: 85, workers: 3, projects: ['unit'], json: true },
    });
    expect(readArguments(['edge'], TREE)).toMatchObject({ options: { max: Infinity, projects: ['unit', 'edge'] } });
  });
});
