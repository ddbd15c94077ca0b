import { posix } from 'node:path';

// Which files use which: by import, and by naming a file that is bundled or run as a process of its own
// (`new URL('…', import.meta.url)`, `runNode('scripts/start.ts')`).

const TYPES_ONLY = /^(?:import|export) type [^;]*;/gm;
const NAMED_FILE = /['"`]([^'"`\n]+\.ts)['"`]/g;

/** How far a test is from a file. */
const [SAME_FOLDER, SAME_SIDE, OTHER_SIDE] = [0, 1, 2];

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
 * The tests that reach `file` and are worth running: those in a folder of its name first (`edge/fleet`,
 * `scripts/fleet`), then those on its side of the tree; of these the ones that get there in the fewest steps. The other
 * sides are asked only if its own has none, and costlier tests only if no cheaper one is in a folder of its name.
 * @param tests the files that hold tests, each with its cost: any number that grows with it
 */
export function testsNear(file: string, users: Users, tests: ReadonlyMap<string, number>): readonly string[] {
  const steps = new Map([[file, 0]]);
  // Grows while it is gone through.
  for (const [reached, step] of steps)
    for (const user of users.get(reached) ?? []) if (!steps.has(user)) steps.set(user, step + 1);
  const found = [...steps].flatMap(([test, step]) => {
    const cost = tests.get(test);
    return cost === undefined ? [] : [{ test, step, cost, apart: distance(test, file) }];
  });
  const furthest = Math.max(SAME_SIDE, Math.min(...found.map(({ apart }) => apart)));
  const costliest = Math.min(...found.filter(({ apart }) => apart === SAME_FOLDER).map(({ cost }) => cost));
  return found
    .filter(({ apart, cost }) => apart <= furthest && cost <= costliest)
    .toSorted((a, b) => a.apart - b.apart || a.step - b.step)
    .map(({ test }) => test);
}

function distance(test: string, file: string): number {
  if (folderOf(test) === folderOf(file)) return SAME_FOLDER;
  return sideOf(test) === sideOf(file) ? SAME_SIDE : OTHER_SIDE;
}

function folderOf(file: string): string {
  return posix.basename(posix.dirname(file));
}

function sideOf(file: string): string {
  return file.slice(0, file.indexOf('/'));
}
