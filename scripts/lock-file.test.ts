import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';

// The lock file serves every system, no matter on which it was made: npm leaves out the packages of other systems if its registry does
// not know them, and npm 11.19 and later then refuse `npm ci`. An update of a package is completed by hand, or by
// `npm install --package-lock-only` with a registry that knows them all.

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      optional: z.boolean().optional(),
      os: z.array(z.string()).optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
const { packages } = lockSchema.parse(
  JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')),
);

/** Where Node finds a package from another one: the nearest folder upwards. */
function found(from: string, name: string): string | undefined {
  const folders = from.split(/\/?node_modules\//);
  return folders
    .map((_, n) => [...folders.slice(1, folders.length - n), name].map((part) => `node_modules/${part}`).join('/'))
    .find((path) => packages[path] !== undefined);
}

test('every optional package is in the lock, in the version that is asked for', () => {
  const asked = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies).map(([name, version]) => ({ from, name, version })),
  );
  expect(asked.length).toBeGreaterThan(100);
  const missing = asked.filter(({ from, name }) => found(from, name) === undefined);
  expect(missing).toEqual([]);
  const exact = asked.filter(({ version }) => /^\d/.test(version));
  const other = exact.filter(({ from, name, version }) => packages[found(from, name) ?? '']?.version !== version);
  expect(other).toEqual([]);
});

test('a package of another system says which, so that it is not installed here', () => {
  const systems = Object.entries(packages).filter(([path]) =>
    /\/[^/]*(?:darwin|win32|windows|android|freebsd|openharmony|musl|riscv64|s390x|ppc64)[^/]*$/.test(path),
  );
  expect(systems.length).toBeGreaterThan(40);
  const unnamed = systems.filter(([, one]) => one.optional !== true || one.os?.length !== 1);
  expect(unnamed.map(([path]) => path)).toEqual([]);
});

test('no registry is named', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
