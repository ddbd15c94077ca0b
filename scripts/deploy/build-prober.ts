import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import manifest from '../../package.json' with { type: 'json' };
import { endWhenUnread } from '../../prober/base/closed-pipe.ts';
import { NODE_BUNDLE } from '../bundle/settings.ts';

// The artefact that a probe host runs: one bundle with the Node that it was tested with, and what systemd needs to know.
// Nothing is installed on the machine, and nothing looked up from a registry there.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEPLOY = join(ROOT, 'prober/deploy');
/** Of these a folder of a version has a copy. */
const KIT = [
  'rcpt-prober@.service',
  'rcpt-roll',
  'install.sh',
  'sysctl.conf',
  'rcpt-prober.env',
  'index.html',
  'README.md',
];

/** CommonJS packages inside an ES module ask for `require`. */
const BANNER =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

const LAUNCHER = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" --disable-warning=ExperimentalWarning "$here/rcpt-prober.mjs" "$@"
`;

/**
 * Makes the folder of a version: `rcpt-prober`, its bundle, its Node and the kit.
 * @param folder is made anew
 * @returns how many bytes the bundle has
 */
export async function buildProber(folder: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const bundle = join(folder, 'rcpt-prober.mjs');
  await build({
    ...NODE_BUNDLE,
    absWorkingDir: ROOT,
    entryPoints: ['prober/main.ts'],
    outfile: bundle,
    banner: { js: BANNER },
    // Of ws, both optional: it does without.
    external: ['bufferutil', 'utf-8-validate'],
    legalComments: 'eof',
  });
  writeFileSync(join(folder, 'rcpt-prober'), LAUNCHER);
  chmodSync(join(folder, 'rcpt-prober'), 0o755);
  copyFileSync(process.execPath, join(folder, 'node'));
  chmodSync(join(folder, 'node'), 0o755);
  for (const file of KIT) copyFileSync(join(DEPLOY, file), join(folder, file));
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  return statSync(bundle).size;
}

/** The version's name, as its unit and its folder have it. */
export function artefactName(): string {
  return `rcpt-prober-${manifest.version}`;
}

const megabytes = (size: number): string => `${(size / 1e6).toFixed(1)} MB`;

async function main(): Promise<void> {
  endWhenUnread();
  const folder = join(ROOT, 'dist', artefactName());
  const bytes = await buildProber(folder);
  const archive = `${folder}.tar.gz`;
  execFileSync('tar', [
    '--create',
    '--gzip',
    '--owner=0',
    '--group=0',
    '--file',
    archive,
    '--directory',
    dirname(folder),
    basename(folder),
  ]);
  const files = readdirSync(folder).length;
  process.stdout.write(
    `${archive}: ${megabytes(statSync(archive).size)}, ${files} files, bundle ${megabytes(bytes)}, Node ${process.version} for ${process.platform}-${process.arch}\n`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
