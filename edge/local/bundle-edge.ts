import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import { keptBundle } from './kept-bundle.ts';

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
export function bundleEdge(entry: string = EDGE): Promise<string> {
  return keptBundle({ entryPoints: [entry], ...WORKER_BUNDLE });
}
