import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const IMPORT = /(?:^(?:import|export|\}) (?:[^'\n]*\bfrom )?|\bimport\(\s*)'(\.{1,2}\/[^']+\.tsx?)'/gm;
const files = globSync('{schema,edge,prober,scripts}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (file) => !/\.test\.ts$|\/testing\/|\/dist\//.test(file),
);

/** Takes away every folder that imports none of the rest, until only circles are left. */
test('no imports lead from folder to folder in a circle (lint sees those of files)', () => {
  const steps = new Map<string, Set<string>>();
  for (const file of files)
    for (const [, to = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)) {
      const [from, target] = [dirname(file), dirname(join(dirname(file), to))];
      if (from !== target) steps.set(from, (steps.get(from) ?? new Set()).add(target));
    }
  expect(steps.size).toBeGreaterThan(50);
  for (let before = Infinity; steps.size < before;) {
    before = steps.size;
    for (const [from, targets] of steps) if (![...targets].some((to) => steps.has(to))) steps.delete(from);
  }
  expect(
    Object.fromEntries([...steps].map(([from, targets]) => [from, [...targets].filter((to) => steps.has(to))])),
  ).toEqual({});
});
