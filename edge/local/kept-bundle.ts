import { dirname, join } from 'node:path';
const { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = process.getBuiltinModule('node:fs');

// Bundling the Worker, or a command, takes most of a second of a core. So a bundle is cached in a file whose first line
// lists its inputs, and is used only if all of them are unchanged.

/** What npm installed, including esbuild, and the cache's own code. */
const MAKERS = ['node_modules/.package-lock.json', 'edge/local/kept-bundle.ts'];
/**
 * A file changed this shortly before it was read may change again within the same tick of the file system's clock. A
 * file dated later than that, because the clock was set back since, may not.
 */
const SETTLED_MS = 2_000;

/** Path from the root, when the file last changed, and its size. */
type Stamp = readonly [path: string, changedMs: number, bytes: number];
type Record = { readonly node: string; readonly files: readonly Stamp[] };

export type Made = { readonly text: string; readonly inputs: readonly string[] };

/** `isKept`: it is in the file. */
export type Kept = { readonly text: string; readonly isKept: boolean };

/**
 * A bundle of files, possibly a cached one.
 * @param root the base of all paths
 * @param path file of the cache
 * @param make builds it: its text, and its inputs
 */
export async function keptBundle(root: string, path: string, make: () => Promise<Made>): Promise<Kept> {
  const known = readKept(root, path);
  if (known !== null) return { text: known, isKept: true };
  const startedMs = Date.now();
  const { text, inputs } = await make();
  const files = [...inputs, ...MAKERS].map((file) => stampOf(root, file));
  const isSettled = files.every(([, changedMs]) => Math.abs(startedMs - changedMs) > SETTLED_MS);
  return { text, isKept: keep(path, isSettled ? { node: process.version, files } : null, text) };
}

function readKept(root: string, path: string): string | null {
  try {
    const whole = readFileSync(path, 'utf8');
    const end = whole.indexOf('\n');
    const record: Record = JSON.parse(whole.slice('//'.length, end));
    const isSame = (stamp: Stamp): boolean => stampOf(root, stamp[0]).join() === stamp.join();
    return record.node === process.version && record.files.every(isSame) ? whole.slice(end + 1) : null;
  } catch {
    return null;
  }
}

/** Atomically, since other processes read and write the same file. */
function keep(path: string, record: Record | null, text: string): boolean {
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, `//${JSON.stringify(record)}\n${text}`);
    renameSync(draft, path);
    return true;
  } catch {
    rmSync(draft, { force: true });
    return false;
  }
}

function stampOf(root: string, file: string): Stamp {
  const stats = statSync(join(root, file), { throwIfNoEntry: false });
  return [file, stats?.ctimeMs ?? 0, stats?.size ?? -1];
}
