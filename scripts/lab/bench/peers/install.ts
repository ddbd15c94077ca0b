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
  /** Folder beside this file, and name of the program. */
  readonly folder: string;
  readonly files: readonly string[];
  readonly tool: { readonly name: string; readonly versionArgs: readonly string[]; readonly atLeast: string };
  readonly build: readonly string[];
  /** Where the build leaves the program, from its folder. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
};

export const RECIPES: readonly Recipe[] = [
  {
    name: 'AfterShip 1.4.1',
    folder: 'aftership',
    files: ['go.mod', 'go.sum', 'main.go'],
    tool: { name: 'go', versionArgs: ['env', 'GOVERSION'], atLeast: '1.22' },
    build: ['go', 'build', '-trimpath', '-o', 'aftership', '.'],
    program: 'aftership',
    // Go's own resolver, which is what most of its programs have, whether or not a C compiler is at hand.
    env: { CGO_ENABLED: '0' },
  },
  {
    name: 'Reacher 0.11.11',
    folder: 'reacher',
    files: ['Cargo.toml', 'main.rs'],
    tool: { name: 'cargo', versionArgs: ['--version'], atLeast: '1.88' },
    build: ['cargo', 'build', '--release', '--quiet'],
    program: 'target/release/reacher',
    env: {},
  },
];

export type Installed =
  | { readonly kind: 'installed'; readonly program: string }
  | { readonly kind: 'missing'; readonly why: string };

/** Builds a peer, or says why that cannot be. The first time takes minutes and asks its registry. */
export async function install(recipe: Recipe, buildFolder: string = BUILD): Promise<Installed> {
  const { folder, files, tool, build, program, env } = recipe;
  const version = await run([tool.name, ...tool.versionArgs], '.', env);
  if (version.kind === 'failed' || !isAtLeast(version.output, tool.atLeast))
    return { kind: 'missing', why: `needs ${tool.name} ${tool.atLeast} or newer` };
  const place = join(buildFolder, folder);
  mkdirSync(place, { recursive: true });
  for (const file of files)
    copyFileSync(fileURLToPath(new URL(`${folder}/${file}`, import.meta.url)), join(place, file));
  const built = await run(['nice', '-n', '15', ...build], place, env);
  if (built.kind === 'failed') return { kind: 'missing', why: `\`${build.join(' ')}\` failed: ${built.why}` };
  return { kind: 'installed', program: join(place, program) };
}

type Ran = { readonly kind: 'ran'; readonly output: string } | { readonly kind: 'failed'; readonly why: string };

async function run([file = '', ...args]: readonly string[], cwd: string, env: Recipe['env']): Promise<Ran> {
  try {
    const options = { cwd, env: { ...process.env, ...env }, timeout: BUILD_MS_MAX, maxBuffer: 16_777_216 };
    return { kind: 'ran', output: (await promisify(execFile)(file, args, options)).stdout };
  } catch (error) {
    return {
      kind: 'failed',
      why: (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1) ?? '',
    };
  }
}

/**
 * Whether the version that a tool names is this one or a later one.
 * @param told such as "go1.26.8" or "cargo 1.95.0 (f2d3ce0bd 2026-03-21)"
 * @param wanted major and minor number
 */
export function isAtLeast(told: string, wanted: string): boolean {
  const [major, minor] = numbersOf(told);
  const [wantedMajor, wantedMinor] = numbersOf(wanted);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

function numbersOf(version: string): readonly [number, number] {
  const { major, minor } = /(?<major>\d+)\.(?<minor>\d+)/.exec(version)?.groups ?? {};
  return [Number(major ?? 0), Number(minor ?? 0)];
}
