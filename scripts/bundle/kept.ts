const { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } =
  process.getBuiltinModule('node:fs');
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Bundles of commands are made with the first run and kept with what they were made of. One is run only if every file of
// it is as it was then. Where none can be made or kept (no esbuild, a file system that is read-only, sources that do not
// compile) the sources are run, which say themselves what is wrong with them.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** How a bundle is made, and what npm installed. */
const MAKERS = ['scripts/bundle/settings.ts', 'scripts/bundle/build.ts', 'scripts/bundle/kept.ts'];
const INSTALLED = 'node_modules/.package-lock.json';
/**
 * A file that changed so shortly before it was read may change again within the same tick of the file system's clock. One
 * that seems to have changed later, because the clock was set back since, does not.
 */
const SETTLED_MS = 2_000;

/** Which build it is, and of what: path from the root, when the file last changed, and its size. */
type Record = { readonly build: string; readonly node: string; readonly files: readonly Stamp[] };
type Stamp = readonly [path: string, changedMs: number, bytes: number];

/** @returns what to import instead of a command's entry: its bundle, or the entry itself. @param entry from the root */
export async function bundleOf(entry: string, root: string = ROOT): Promise<string> {
  const name = basename(dirname(entry));
  const folder = join(root, 'node_modules/.cache/bundles');
  const target = join(folder, `${name}.mjs`);
  const record = join(folder, `${name}.json`);
  const build = freshBuild(root, record) ?? (await makeBuild({ root, entry, folder, target, record }));
  const url = pathToFileURL(target).href;
  return build !== null && (await isBuild(url, build)) ? url : pathToFileURL(join(root, entry)).href;
}

/** Two processes may make a bundle at once, and each writes two files: what was imported says itself which build it is. */
async function isBuild(url: string, build: string): Promise<boolean> {
  try {
    const made: { readonly BUILD?: unknown } = await import(url);
    return made.BUILD === build;
  } catch {
    return false;
  }
}

function freshBuild(root: string, record: string): string | null {
  try {
    const { build, node, files }: Record = JSON.parse(readFileSync(record, 'utf8'));
    return node === process.version && files.every((stamp) => isAsStamped(root, stamp)) ? build : null;
  } catch {
    return null;
  }
}

function isAsStamped(root: string, [path, changedMs, bytes]: Stamp): boolean {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  return stats?.ctimeMs === changedMs && stats.size === bytes;
}

type Making = {
  readonly root: string;
  readonly entry: string;
  readonly folder: string;
  readonly target: string;
  readonly record: string;
};

async function makeBuild({ root, entry, folder, target, record }: Making): Promise<string | null> {
  const startedMs = Date.now();
  const build = `${process.pid}.${startedMs}`;
  const draft = join(folder, `${build}.tmp`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(draft, '');
    const { bundle } = await import('./build.ts');
    const { code, inputs } = await bundle(root, entry, target);
    const files = [...inputs, ...MAKERS, INSTALLED].filter((path) => existsSync(join(root, path)));
    const stamps = files.map((path): Stamp => {
      const { ctimeMs, size } = statSync(join(root, path));
      return [path, ctimeMs, size];
    });
    rmSync(record, { force: true });
    writeFileSync(draft, `${code}\nexport const BUILD = '${build}';\n`);
    renameSync(draft, target);
    if (stamps.every(([, changedMs]) => Math.abs(startedMs - changedMs) > SETTLED_MS)) {
      writeFileSync(draft, JSON.stringify({ build, node: process.version, files: stamps } satisfies Record));
      renameSync(draft, record);
    }
    return build;
  } catch {
    if (existsSync(draft)) rmSync(draft);
    return null;
  }
}
