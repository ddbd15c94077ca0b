import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { licencesOf } from '../bundle/licences.ts';

// `node scripts/rcpt/build.ts [FOLDER]`: the command as customers get it, one file with all that it needs, and beside it
// the licences of the libraries in it. `npm pack` in this folder then makes the package.

const HERE = import.meta.dirname;
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
await writeFile(join(out, 'THIRD-PARTY-LICENSES.txt'), await licencesOf(Object.keys(metafile.inputs)));
