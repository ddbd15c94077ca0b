import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import * as z from 'zod';

// To bundle the Worker takes most of a second of a core, and the tests start some dozens of services. So a bundle is
// kept with what it was made of, and taken only if every file of it is as it was then.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What npm installed, esbuild among it, and how these bundles are kept. */
const MAKERS = ['node_modules/.package-lock.json', 'edge/local/kept-bundle.ts'];
const KEEPING = {
  folder: join(ROOT, 'node_modules/.cache/worker'),
  /** A file that changed so shortly before it was read may change again within the same tick of the file system's clock. */
  settledMs: 2_000,
};

const keptSchema = z.object({
  /** Of each file: path from the root, when it last changed, and its size. */
  files: z.array(z.tuple([z.string(), z.number(), z.number()])),
  text: z.string(),
});
type Kept = z.infer<typeof keptSchema>;

/** Bundles with these options into one file. @returns its text, which may be an earlier build's of the same files */
export async function keptBundle(options: BuildOptions, { folder, settledMs } = KEEPING): Promise<string> {
  const name = createHash('sha256').update(JSON.stringify(options)).digest('hex').slice(0, 16);
  const path = join(folder, `${name}.json`);
  const known = readKept(path);
  if (known?.files.every(([file, changedMs, bytes]) => isSame(stampOf(file), changedMs, bytes)) === true)
    return known.text;
  const startedMs = Date.now();
  const made = await build({ ...options, absWorkingDir: ROOT, bundle: true, write: false, metafile: true });
  const text = made.outputFiles[0]?.text;
  if (text === undefined) throw new Error('esbuild wrote no bundle');
  const files = [...Object.keys(made.metafile.inputs), ...MAKERS].map((file) => stampOf(file));
  if (files.every(([, changedMs]) => changedMs < startedMs - settledMs)) keep(path, { files, text });
  return text;
}

function readKept(path: string): Kept | null {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** In one step, since other processes keep and read the same. What cannot be kept is made again. */
function keep(path: string, kept: Kept): void {
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, JSON.stringify(kept));
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true });
  }
}

function stampOf(file: string): Kept['files'][number] {
  const stats = statSync(join(ROOT, file), { throwIfNoEntry: false });
  return [file, stats?.ctimeMs ?? 0, stats?.size ?? -1];
}

function isSame([, ctimeMs, size]: Kept['files'][number], changedMs: number, bytes: number): boolean {
  return ctimeMs === changedMs && size === bytes;
}
