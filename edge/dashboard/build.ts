import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { accuracyIn } from './docs/accuracy.ts';
import { buildDocs } from './docs/build-docs.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SCRIPT = 'main.tsx';
const STYLE = 'styles/main.css';
/** The first page quotes it. */
const ACCURACY = join(HERE, '../../prober/ACCURACY.md');
const DOCS_SCRIPT = 'docs/tabs.ts';
const ICON = 'icon.svg';
/** Asked for by these very names. The `.ico` is the icon for answers without a page, and for Safari. */
const FILES = ['favicon.ico', 'robots.txt'] as const;
/** Runs on pages of other sites, in browsers that are older than ours. */
const WIDGET = 'widget/main.ts';

/**
 * Builds the pages: `index.html`, the widget for other sites as `form.js`, the docs as pages of their own, files that browsers and crawlers ask for, and under `assets/` scripts and styles whose names change with what is in them, so that
 * browsers may keep them for ever.
 * @param outDir is made if it is not there; what stands in it is left alone
 */
export async function buildDashboard(outDir: string): Promise<void> {
  const accuracy = accuracyIn(await readFile(ACCURACY, 'utf8'));
  const { metafile } = await build({
    absWorkingDir: HERE,
    entryPoints: [SCRIPT, STYLE, ICON, DOCS_SCRIPT],
    // Made absolute here: esbuild would take a relative one from `absWorkingDir`.
    outdir: resolve(outDir, 'assets'),
    bundle: true,
    splitting: true,
    minify: true,
    define: { ACCURACY: JSON.stringify(accuracy) },
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    logLevel: 'error',
  });
  await build({
    absWorkingDir: HERE,
    entryPoints: [WIDGET],
    outfile: resolve(outDir, 'form.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: ['chrome84', 'edge84', 'firefox90', 'safari15'],
    logLevel: 'error',
  });
  const [script, style, icon, docs] = [SCRIPT, STYLE, ICON, DOCS_SCRIPT].map((entry) => outputOf(metafile, entry));
  const html = await readFile(join(HERE, 'index.html'), 'utf8');
  await mkdir(outDir, { recursive: true });
  await writeFile(
    join(outDir, 'index.html'),
    html
      .replace('%STYLE%', urlOf(style?.name ?? ''))
      .replace('%ICON%', urlOf(icon?.name ?? ''))
      .replace('%SCRIPT%', urlOf(script?.name ?? ''))
      .replace('%PRELOADS%', (script?.needs ?? []).map(preload).join('')),
  );
  for (const name of FILES) await copyFile(join(HERE, name), join(outDir, name));
  await buildDocs(outDir, {
    style: urlOf(style?.name ?? ''),
    icon: urlOf(icon?.name ?? ''),
    script: urlOf(docs?.name ?? ''),
  });
}

/** What an entry became, and which other scripts it needs before it can run. */
function outputOf({ outputs }: Metafile, entry: string): { readonly name: string; readonly needs: readonly string[] } {
  for (const [name, { entryPoint, imports, inputs }] of Object.entries(outputs)) {
    if (entryPoint !== entry && !(entry === ICON && entry in inputs)) continue;
    return { name, needs: imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path) };
  }
  throw new Error(`The build has made nothing of ${entry}.`);
}

function urlOf(output: string): string {
  return `/assets/${basename(output)}`;
}

function preload(output: string): string {
  return `<link rel="modulepreload" href="${urlOf(output)}" />`;
}
