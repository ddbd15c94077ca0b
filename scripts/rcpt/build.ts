import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

// `node scripts/rcpt/build.ts [FOLDER]`: the command as customers get it, one file with all that it needs, and beside it
// the licences of the libraries in it. `npm pack` in this folder then makes the package.

const HERE = import.meta.dirname;
const PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//;

const [out = join(HERE, 'dist')] = process.argv.slice(2);
await rm(out, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: [join(HERE, 'main.ts')],
  outfile: join(out, 'rcpt.js'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  absWorkingDir: join(HERE, '../..'),
  // Some libraries load parts of Node as CommonJS does.
  banner: {
    js: `import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);`,
  },
});
const packages = new Set(Object.keys(metafile.inputs).flatMap((path) => PACKAGE.exec(path)?.[1] ?? []));
const notices = await Promise.all([...packages].toSorted().map((name) => noticeOf(name)));
await writeFile(join(out, 'THIRD-PARTY-LICENSES.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));

/** @throws if a library has no licence text that could go along */
async function noticeOf(name: string): Promise<string> {
  const folder = join(HERE, '../../node_modules', name);
  for (const file of ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE'])
    try {
      return `${name}\n\n${await readFile(join(folder, file), 'utf8')}`;
    } catch {
      // The next name, then.
    }
  throw new Error(`${name} has no file with its licence.`);
}
