import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

// Other engines, from their registries: each is linked by a few lines of ours, on the machine and with the tools of the person who
// runs the bench. They are separate programs there, and nothing of them is kept in the repository or shipped.

const BUILD = fileURLToPath(new URL('../../../../.build/peers/', import.meta.url));
const BUILD_MS_MAX = 1_800_000;

type Recipe = {
  readonly name: string;
  /** Folder beside this file. */
  readonly folder: string;
  readonly files: readonly string[];
  /** With what it needs, in words. */
  readonly tool: string;
  readonly build: readonly string[];
  /** Where the build leaves the program, from its folder. */
  readonly program: string;
};

export const RECIPES: readonly Recipe[] = [
  {
    name: 'AfterShip 1.4.1',
    folder: 'aftership',
    files: ['go.mod', 'go.sum', 'main.go'],
    tool: 'go 1.22',
    // Go's own resolver, which is what most of its programs have, whether or not a C compiler is at hand.
    build: ['env', 'CGO_ENABLED=0', 'go', 'build', '-trimpath', '-o', 'aftership', '.'],
    program: 'aftership',
  },
  {
    name: 'Reacher 0.11.11',
    folder: 'reacher',
    files: ['Cargo.toml', 'main.rs'],
    tool: 'cargo 1.88',
    build: ['cargo', 'build', '--release', '--quiet'],
    program: 'target/release/reacher',
  },
];

/** Builds a peer. The first time takes minutes and asks its registry. @returns its program; null if it cannot be built: the reason is printed */
export async function install({ name, folder, files, tool, build, program }: Recipe): Promise<string | null> {
  process.stderr.write(`bench peers: building ${name}\n`);
  const place = join(BUILD, folder);
  mkdirSync(place, { recursive: true });
  for (const file of files)
    copyFileSync(fileURLToPath(new URL(`${folder}/${file}`, import.meta.url)), join(place, file));
  try {
    await promisify(execFile)('nice', ['-n', '15', ...build], { cwd: place, timeout: BUILD_MS_MAX });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stdout.write(`${name} is not installed: it needs ${tool} or newer; ${why.trim().split('\n').at(-1)}.\n`);
    return null;
  }
  return join(place, program);
}
