import { expect, test } from 'vitest';
import { keptIn } from './testing/kept-in.ts';

test.each([
  ['a variable of a module', 'let last = 0;', ['last']],
  ['a container, in capitals too', 'export const CACHE = new Map<string, number>();', ['CACHE']],
  ['one inside something', 'const state = { seen: new Set<string>() };', ['state']],
  ['an instance', 'const cache = new Cache(10);', ['cache']],
  ['a list', 'const seen: string[] = [];', ['seen']],
  ['a field', 'class A { readonly #seen = new Map<string, number>(); }', ['A.seen']],
  ['a field filled by its constructor', 'export class A { readonly #seen: Map<string, number>; }', ['A.seen']],
  ['a static field', 'class A { static last = 0; }', ['A.last']],
  [
    'what a function’s result goes on using',
    'function a() { const seen = new Set(); return { add: () => seen }; }',
    ['a.seen'],
  ],
  ['a counter of calls', 'void limiterNamed(call, name).count(1);', ['counter']],
  ['nothing that is read-only', 'const WORDS: ReadonlySet<string> = new Set([]); const RE = new RegExp("");', []],
  ['nothing of a function alone', 'function a() { const seen = new Set(); return seen.size; }', []],
])('%s is found', (_what, text, names) => {
  expect(keptIn('a.ts', text)).toEqual(names);
});
