import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

// How the source is built: which folder may know which. Lint holds single walls; this holds the whole.

const ROOT = join(import.meta.dirname, '..');
const FLOORS = ['schema', 'edge', 'prober', 'scripts'] as const;
/** From what may know all the others down to what knows none. */
const ENGINE = [
  'batch.ts',
  'domain.ts',
  'visit',
  'pool',
  'session',
  'catch-all',
  'recipients',
  'limits',
  'meaning',
  'targets',
  'wire',
  'ports',
  'providers',
];
const IS_CODE = /\.tsx?$/;
const IS_TEST = /\.test\.ts$|\/testing\//;
/** An import or export that begins a line or ends one that is broken over lines, and a dynamic one, in a type too. */
const IMPORT = /(?:^(?:import|export|\}) (?:[^'\n]*\bfrom )?|\bimport\(\s*)'(\.{1,2}\/[^']+)'/gm;
/** The same of a package. */
const PACKAGE = /(?:^(?:import|export|\}) (?:[^'\n]*\bfrom )?|\bimport\(\s*)'([^.'][^']*)'/gm;

/** What is loaded with a file: no types, nothing imported later. */
const LOADED = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s+)?'([^']+)'/gm;

type Arrow = { readonly from: string; readonly to: string };

const files = FLOORS.flatMap((floor) =>
  readdirSync(join(ROOT, floor), { recursive: true, encoding: 'utf8' })
    .filter((name) => IS_CODE.test(name) && !name.startsWith('client/dist/'))
    .map((name) => join(floor, name)),
);
const arrows: readonly Arrow[] = files.flatMap((from) =>
  [...readFileSync(join(ROOT, from), 'utf8').matchAll(IMPORT)].map(([, to = '']) => ({
    from,
    to: relative(ROOT, join(ROOT, dirname(from), to)),
  })),
);

function floorOf(file: string): string {
  return file.split('/')[0] ?? '';
}

/** Where a file of the engine stands in its order; -1 if it belongs to no group. */
function groupOf(file: string): number {
  return ENGINE.indexOf(file.split('/')[2] ?? '');
}

/** The first circle that can be walked along these arrows from room to room, or null. */
function circleOf(steps: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | null {
  const done = new Set<string>();
  const walk = (room: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room];
    if (done.has(room)) return null;
    for (const next of steps.get(room) ?? []) {
      const circle = walk(next, [...path, room]);
      if (circle !== null) return circle;
    }
    done.add(room);
    return null;
  };
  for (const room of steps.keys()) {
    const circle = walk(room, []);
    if (circle !== null) return circle;
  }
  return null;
}

/** The packages that a file imports. */
function packagesOf(file: string): readonly Arrow[] {
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(PACKAGE)].map(([, to = '']) => ({ from: file, to }));
}

/** What is loaded with a file: other files by their paths, packages by their names. */
function loadsOf(file: string): readonly string[] {
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(LOADED)].map(([, name = '']) =>
    name.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), name)) : name,
  );
}

function told({ from, to }: Arrow): string {
  return `${from} imports ${to}`;
}

test('every relative import of every file is seen, and leads to a file', () => {
  expect(arrows.length).toBeGreaterThan(files.length);
  const known = new Set(files);
  expect(arrows.filter(({ to }) => IS_CODE.test(to) && !known.has(to)).map(told)).toEqual([]);
});

test('schema is below edge and prober, and scripts are above both, for tests as for code', () => {
  const below: Record<string, readonly string[]> = {
    schema: ['schema'],
    edge: ['schema', 'edge'],
    prober: ['schema', 'prober'],
    scripts: FLOORS,
  };
  const up = arrows.filter(({ from, to }) => IS_CODE.test(to) && !below[floorOf(from)]?.includes(floorOf(to)));
  expect(up.map(told)).toEqual([]);
});

/** The words of the contract and the lists of customers, which all customers' code may know. */
const SHARED = /^schema\/(?:words|lists)\//;

test('the words of the contract know nothing but themselves', () => {
  const inside = arrows.filter(({ from }) => from.startsWith('schema/words/') && !IS_TEST.test(from));
  expect(inside.length).toBeGreaterThan(5);
  expect(inside.filter(({ to }) => !to.startsWith('schema/words/')).map(told)).toEqual([]);
  const packages = files.filter((file) => file.startsWith('schema/words/') && !IS_TEST.test(file)).flatMap(packagesOf);
  expect(packages.map(told)).toEqual([]);
});

test('the client knows nothing but itself and the words of the contract, and Node in one folder alone', () => {
  const inside = files.filter((file) => file.startsWith('schema/client/'));
  expect(inside.length).toBeGreaterThan(20);
  const outward = arrows.filter(
    ({ from, to }) =>
      inside.includes(from) &&
      !inside.includes(to) &&
      !SHARED.test(to) &&
      !(IS_TEST.test(from) && to.startsWith('schema/testing/')),
  );
  expect(outward.map(told)).toEqual([]);
  const packages = inside.filter((file) => !IS_TEST.test(file)).flatMap(packagesOf);
  const others = packages.filter(({ from, to }) => !from.startsWith('schema/client/node/') || !to.startsWith('node:'));
  expect(others.map(told)).toEqual([]);
});

test('lists know nothing but themselves, the words of the contract and two libraries', () => {
  const inside = files.filter((file) => file.startsWith('schema/lists/') && !IS_TEST.test(file));
  expect(inside.length).toBeGreaterThan(15);
  const outward = arrows.filter(({ from, to }) => inside.includes(from) && !/^schema\/(?:lists|words)\//.test(to));
  expect(outward.map(told)).toEqual([]);
  const packages = inside.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(PACKAGE)].map(([, name = '']) => name),
  );
  expect([...new Set(packages)].toSorted()).toEqual(['@zip.js/zip.js/lib/zip-core-native.js', 'papaparse']);
});

test("the customer's command knows nothing but itself, the client, words and lists", () => {
  const inside = files.filter((file) => file.startsWith('scripts/rcpt/') && !IS_TEST.test(file));
  expect(inside.length).toBeGreaterThan(20);
  const outward = arrows.filter(
    ({ from, to }) => inside.includes(from) && !/^(?:scripts\/rcpt|schema\/client)\//.test(to) && !SHARED.test(to),
  );
  expect(outward.map(told)).toEqual([]);
});

test('the pages know nothing but themselves, the client, words, lists, the types of their API and the texts of examples', () => {
  const inside = files.filter((file) => file.startsWith('edge/dashboard/'));
  expect(inside.length).toBeGreaterThan(20);
  const outward = arrows.filter(
    ({ from, to }) =>
      inside.includes(from) &&
      !IS_TEST.test(from) &&
      !/^(?:edge\/dashboard\/|schema\/client\/|schema\/examples\/|schema\/pages-api\.ts|schema\/admin\.ts)/.test(to) &&
      !SHARED.test(to),
  );
  expect(outward.map(told)).toEqual([]);
  // Of the operator's API the types alone: its schemas are of zod, which no page loads.
  const loads = inside.filter((file) => !IS_TEST.test(file) && loadsOf(file).some((to) => to === 'schema/admin.ts'));
  expect(loads).toEqual([]);
});

test('the Worker knows nothing of the pages: what both must know stands in schema; only their build is called', () => {
  const worker = arrows.filter(({ from }) => from.startsWith('edge/') && !from.startsWith('edge/dashboard/'));
  const inward = worker.filter(({ to }) => to.startsWith('edge/dashboard/') && to !== 'edge/dashboard/build.ts');
  expect(worker.length).toBeGreaterThan(100);
  expect(inward.map(told)).toEqual([]);
});

test('the start of `npm run probe` loads neither zod nor TLS, which took half of its time', () => {
  const loaded = new Set(['scripts/probe/main.ts']);
  for (const file of loaded) {
    if (!IS_CODE.test(file)) continue;
    for (const name of loadsOf(file)) loaded.add(name);
  }
  expect(loaded).toContain('prober/engine/meaning/classify.ts');
  expect([...loaded].filter((name) => name === 'zod' || name === 'node:tls')).toEqual([]);
});

/** Imports of code that is no test, types and what is loaded later included. */
const inCode = arrows.filter(({ from, to }) => IS_CODE.test(to) && !IS_TEST.test(from) && !IS_TEST.test(to));

/** The first circle of places, and the imports that make it. */
function circleAmong(imports: readonly Arrow[], placeOf: (file: string) => string) {
  const steps = new Map<string, Set<string>>();
  const between = imports.filter(({ from, to }) => placeOf(from) !== placeOf(to));
  for (const { from, to } of between)
    steps.set(placeOf(from), (steps.get(placeOf(from)) ?? new Set()).add(placeOf(to)));
  const circle = circleOf(steps) ?? [];
  const made = between.filter(({ from, to }) => {
    const index = circle.indexOf(placeOf(from));
    return index >= 0 && circle[index + 1] === placeOf(to);
  });
  return { circle: circle.join(' → '), imports: made.map(told) };
}

test('no imports lead from folder to folder in a circle', () => {
  expect(circleAmong(inCode, dirname)).toEqual({ circle: '', imports: [] });
});

test('no imports lead from file to file in a circle', () => {
  expect(circleAmong(inCode, (file) => file)).toEqual({ circle: '', imports: [] });
});

test("the engine's groups know only those below them", () => {
  const inside = arrows.filter(({ from, to }) =>
    [from, to].every((file) => file.startsWith('prober/engine/') && !IS_TEST.test(file)),
  );
  expect(inside.flatMap(({ from, to }) => [from, to]).filter((file) => groupOf(file) < 0)).toEqual([]);
  expect(inside.filter(({ from, to }) => groupOf(from) > groupOf(to)).map(told)).toEqual([]);
});

test("prober's base stands on the engine's ports and targets, and knows nothing else above schema", () => {
  const outward = arrows.filter(
    ({ from, to }) =>
      from.startsWith('prober/base/') &&
      !IS_TEST.test(from) &&
      !/^(?:schema|prober\/base|prober\/engine\/ports|prober\/engine\/targets)\//.test(to),
  );
  expect(outward.map(told)).toEqual([]);
  expect(
    arrows.filter(({ from, to }) => from.startsWith('prober/engine/') && to.startsWith('prober/base/')).map(told),
  ).toEqual([]);
});
