import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';

// What `npm install --omit=dev` leaves is enough for every command that an operator runs on a server.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** `scripts/probe.ts` starts the first of them. */
const COMMANDS = ['scripts/probe/main.ts', 'scripts/admin.ts', 'prober/main.ts'];
const WORKER = 'edge/index.ts';
/** Customers get it as one file with all that it needs. */
const CUSTOMERS = 'scripts/rcpt/main.ts';

let inputs: Metafile['inputs'];
let dependencies: readonly string[];

beforeAll(async () => {
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: [...COMMANDS, WORKER, CUSTOMERS],
    bundle: true,
    write: false,
    outdir: '.build',
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    external: ['cloudflare:*'],
    logLevel: 'silent',
  });
  inputs = result.metafile.inputs;
  const manifest = z.object({ dependencies: z.record(z.string(), z.string()) });
  dependencies = Object.keys(manifest.parse(JSON.parse(await readFile(`${ROOT}package.json`, 'utf8'))).dependencies);
});

/** Every package that the file needs, itself or through what it imports. */
function packagesOf(entry: string, kinds: readonly string[]): ReadonlySet<string> {
  const packages = new Set<string>();
  const files = new Set([entry]);
  for (const file of files)
    for (const { path, kind, external = false } of inputs[file]?.imports ?? []) {
      if (!kinds.includes(kind)) continue;
      if (!external) files.add(path);
      else if (!isBuiltin(path) && !path.startsWith('cloudflare:')) packages.add(packageOf(path));
    }
  return packages;
}

function packageOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
}

const EVER = ['import-statement', 'dynamic-import', 'require-call'];

describe('packages', () => {
  test.each(COMMANDS)('%s imports nothing that is installed for development alone', (command) => {
    const packages = packagesOf(command, EVER);
    expect(packages.size).toBeGreaterThan(2);
    expect([...packages].filter((name) => !dependencies.includes(name))).toEqual([]);
  });
});
