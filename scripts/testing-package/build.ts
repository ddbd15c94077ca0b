import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { WORKER_BUNDLE } from '../../edge/local/bundle-edge.ts';
import { licencesOf } from '../bundle/licences.ts';

// `npm run build:testing`: the service for other people's tests, in `dist` or the folder given. `npm pack` in this folder
// then makes the package `@rcpt/testing`.

const ROOT = join(import.meta.dirname, '../..');
const ENTRY = 'scripts/testing-package/start-rcpt';

const [out = join(import.meta.dirname, 'dist')] = process.argv.slice(2);
await rm(out, { recursive: true, force: true });
const both = { absWorkingDir: ROOT, bundle: true, legalComments: 'none', metafile: true } as const;
const worker = await build({
  ...both,
  ...WORKER_BUNDLE,
  entryPoints: ['edge/index.ts'],
  outfile: join(out, 'worker.js'),
});
const starter = await build({
  ...both,
  entryPoints: [`${ENTRY}.ts`],
  outdir: out,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  external: ['miniflare'],
});
await cp(join(ROOT, 'schema/migrations'), join(out, 'migrations'), {
  recursive: true,
  filter: (path) => !path.includes('/meta'),
});
await cp(join(ROOT, '.tsbuild/out', `${ENTRY}.d.ts`), join(out, 'start-rcpt.d.ts'));
const inputs = [worker, starter].flatMap(({ metafile }) => Object.keys(metafile.inputs));
await writeFile(join(out, 'THIRD-PARTY-LICENSES.txt'), await licencesOf(inputs));
