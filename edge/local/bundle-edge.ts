import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import { keptBundle } from './kept-bundle.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EDGE = fileURLToPath(new URL('../index.ts', import.meta.url));

/** As wrangler would. */
export const WORKER_BUNDLE = {
  format: 'esm',
  target: 'es2024',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['workerd', 'worker', 'browser', 'import'],
  external: ['cloudflare:*', 'node:*'],
  logLevel: 'error',
} as const satisfies BuildOptions;

/** Bundles the Worker, or another entry for workerd. @returns its text */
export async function bundleEdge(entry: string = EDGE): Promise<string> {
  const options = { ...WORKER_BUNDLE, entryPoints: [entry], absWorkingDir: ROOT };
  const name = createHash('sha256').update(JSON.stringify(options)).digest('hex').slice(0, 16);
  const { text } = await keptBundle(ROOT, join(ROOT, `node_modules/.cache/worker/${name}.js`), async () => {
    const { outputFiles, metafile } = await build({ ...options, bundle: true, write: false, metafile: true });
    return { text: outputFiles[0]?.text ?? '', inputs: Object.keys(metafile.inputs) };
  });
  return text();
}
