import { dirname, join } from 'node:path';
const { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = process.getBuiltinModule('node:fs');

// To bundle the Worker, or a command, takes most of a second of a core. So a bundle is kept in a file whose first line says
// what it was made of, and is taken only if all of that is as it was then.

/** What npm installed, esbuild among it, and how bundles are kept. */
const MAKERS = ['node_modules/.package-lock.json', 'edge/local/kept-bundle.ts'];
/**
 * A file that changed so shortly before it was read may change again within the same tick of the file system's clock. One
 * that seems to have changed later, because the clock was set back since, does not.
 */
const SETTLED_MS = 2_000;

/** Path from the root, when the file last changed, and its size. */
type Stamp = readonly [path: string, changedMs: number, bytes: number];
type Record = { readonly node: string; readonly files: readonly Stamp[] };

export type Made = { readonly text: string; readonly inputs: readonly string[] };

/** `isKept`: it stands in the file. */
export type Kept = { readonly text: string; readonly isKept: boolean };

/**
 * A bundle of files, which may be an earlier one of the same.
 * @param root from which all paths are
 * @param path file that keeps it
 * @param make makes it: its text, and what it was made of
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

/** In one step, since other processes keep and read the same. */
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
