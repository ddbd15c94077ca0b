import { posix } from 'node:path';

// Which files use which: by import, and by naming a file that is bundled or run as a process of its own
// (`new URL('…', import.meta.url)`, `runNode('scripts/start.ts')`).

const TYPES_ONLY = /^(?:import|export) type [^;]*;/gm;
const NAMED_FILE = /['"`]([^'"`\n]+\.ts)['"`]/g;

/** By file, the files that name it. Paths are relative to the root, with forward slashes. */
export type Users = ReadonlyMap<string, ReadonlySet<string>>;

/** @param sources the text of every file of the tree, by path */
export function usersIn(sources: ReadonlyMap<string, string>): Users {
  const users = new Map<string, Set<string>>();
  for (const [file, source] of sources) {
    for (const [, named = ''] of source.replaceAll(TYPES_ONLY, '').matchAll(NAMED_FILE)) {
      const beside = posix.join(posix.dirname(file), named);
      const used = sources.has(beside) ? beside : named;
      if (sources.has(used)) users.set(used, (users.get(used) ?? new Set()).add(file));
    }
  }
  return users;
}

/**
 * The tests that reach `file`: those in a folder of its name first (`edge/fleet`, `scripts/fleet`), then those on its
 * side of the tree; of these the ones that get there in the fewest steps.
 */
export function testsNear(file: string, users: Users, tests: ReadonlySet<string>): readonly string[] {
  const steps = new Map([[file, 0]]);
  // Grows while it is gone through.
  for (const [reached, step] of steps)
    for (const user of users.get(reached) ?? []) if (!steps.has(user)) steps.set(user, step + 1);
  const distance = (test: string): number => {
    const apart = folderOf(test) === folderOf(file) ? 0 : sideOf(test) === sideOf(file) ? 1 : 2;
    return apart * steps.size + (steps.get(test) ?? 0);
  };
  return [...steps.keys()].filter((reached) => tests.has(reached)).toSorted((a, b) => distance(a) - distance(b));
}

function folderOf(file: string): string {
  return posix.basename(posix.dirname(file));
}

function sideOf(file: string): string {
  return file.slice(0, file.indexOf('/'));
}
