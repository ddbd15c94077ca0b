import { dirname } from 'node:path';
const { closeSync, mkdirSync, openSync, readFileSync, readSync, renameSync, rmSync, statSync, writeFileSync } =
  process.getBuiltinModule('node:fs');

// Bundling the Worker, or a command, takes most of a second of a core. So a bundle is cached in a file whose first line
// lists its inputs, and is used only if all of them are unchanged.

/** What npm installed, including esbuild, and the cache's own code. */
const MAKERS = ['node_modules/.package-lock.json', 'edge/local/kept-bundle.ts'];
/**
 * A file changed this shortly before it was read may change again within the same tick of the file system's clock. A
 * file dated later than that, because the clock was set back since, may not.
 */
const SETTLED_MS = 2_000;
/** A longer first line counts as damaged: an input takes some eighty bytes of it. */
const RECORD_BYTES_MAX = 262_144;

/** Path from the root, when the file last changed, and its size. */
type Stamp = readonly [path: string, changedMs: number, bytes: number];
type Record = { readonly node: string; readonly files: readonly Stamp[] };

export type Made = { readonly text: string; readonly inputs: readonly string[] };

/** `isKept`: it is in the file, and its text begins with the record there, a comment. */
export type Kept = { readonly text: () => string; readonly isKept: boolean };

/**
 * A bundle of files, possibly a cached one.
 * @param root the base of all paths
 * @param path file of the cache
 * @param make builds it: its text, and its inputs
 */
export async function keptBundle(root: string, path: string, make: () => Promise<Made>): Promise<Kept> {
  if (isCurrent(root, path)) return { text: () => readFileSync(path, 'utf8'), isKept: true };
  const startedMs = Date.now();
  const { text, inputs } = await make();
  const files = [...inputs, ...MAKERS].map((file) => stampOf(root, file));
  const isSettled = files.every(([, changedMs]) => Math.abs(startedMs - changedMs) > SETTLED_MS);
  return { text: () => text, isKept: keep(path, isSettled ? { node: process.version, files } : null, text) };
}

/** Whether the file is there, and made of what the files are now. */
function isCurrent(root: string, path: string): boolean {
  try {
    const record: Record = JSON.parse(firstLine(path).slice('//'.length));
    const isSame = (stamp: Stamp): boolean => stampOf(root, stamp[0]).join() === stamp.join();
    return record.node === process.version && record.files.every(isSame);
  } catch {
    return false;
  }
}

/** Of a bundle that is imported later, the rest would be in memory twice. */
function firstLine(path: string): string {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.allocUnsafe(RECORD_BYTES_MAX);
    const [line = ''] = start.toString('utf8', 0, readSync(file, start)).split('\n', 1);
    return line;
  } finally {
    closeSync(file);
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
  // Not `join`, which is slower than the system: a start asks about 160 files.
  const stats = statSync(`${root}/${file}`, { throwIfNoEntry: false });
  return [file, stats?.ctimeMs ?? 0, stats?.size ?? -1];
}
