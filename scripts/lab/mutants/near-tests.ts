import { posix } from 'node:path';

const TYPES_ONLY = /^(?:import|export) type [^;]*;/gm;
/** Imports, and files that are bundled or run as processes of their own. */
const NAMED_FILE = /['"`]([^'"`\n]+\.ts)['"`]/g;

/**
 * The tests that reach a file, the nearest first: those in its folder, then those that get there in the fewest steps.
 * @param sources the text of every TypeScript file by its path from the root
 * @param isTest which of them are tests to choose from
 */
export function nearTests(
  file: string,
  sources: ReadonlyMap<string, string>,
  isTest: (path: string) => boolean,
): readonly string[] {
  const users = new Map<string, Set<string>>();
  for (const [user, source] of sources)
    for (const [, named = ''] of source.replaceAll(TYPES_ONLY, '').matchAll(NAMED_FILE)) {
      const beside = posix.join(posix.dirname(user), named);
      const used = sources.has(beside) ? beside : named;
      users.set(used, (users.get(used) ?? new Set()).add(user));
    }
  // Grows while it is gone through.
  const reached = new Set([file]);
  for (const one of reached) for (const user of users.get(one) ?? []) reached.add(user);
  const isBeside = (test: string): boolean => posix.dirname(test) === posix.dirname(file);
  return [...reached].filter(isTest).toSorted((a, b) => Number(isBeside(b)) - Number(isBeside(a)));
}
