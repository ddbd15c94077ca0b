import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VARIABLES } from './base/config.ts';
import { USAGE } from './usage.ts';

const README = readFileSync(new URL('README.md', import.meta.url), 'utf8');

test('the README lists every variable of a host in its table', () => {
  const cells = [...README.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm)].map(([, cell = '']) => cell);
  const named = cells.flatMap((cell) => [...cell.matchAll(/[A-Z_]+/g)].map(([name]) => name));
  expect(named.toSorted()).toEqual(VARIABLES.toSorted());
});

test('--help lists every variable of a host, and no other', () => {
  const lines = USAGE.slice(USAGE.indexOf('Environment')).matchAll(/^ {2}([A-Z_]+(?:, [A-Z_]+)*) /gm);
  expect([...lines].flatMap(([, names = '']) => names.split(', ')).toSorted()).toEqual(VARIABLES.toSorted());
});
