import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { licencesOf } from '../bundle/licences.ts';

// `node scripts/rcpt/build.ts [FOLDER]`: the command as customers get it: a file with all that it needs, one before it that
// any Node can start, and the licences of the libraries. `npm pack` in this folder then makes the package.

const HERE = import.meta.dirname;
const [out = join(HERE, 'dist')] = process.argv.slice(2);
await rm(out, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: [join(HERE, 'main.ts')],
  outfile: join(out, 'command.js'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  absWorkingDir: join(HERE, '../..'),
  // Some libraries load parts of Node as CommonJS does.
  banner: {
    js: `import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);`,
  },
});
await build({ entryPoints: [join(HERE, 'entry.ts')], outfile: join(out, 'rcpt.js'), format: 'esm', target: 'node14' });
await writeFile(join(out, 'THIRD-PARTY-LICENSES.txt'), await licencesOf(Object.keys(metafile.inputs)));
