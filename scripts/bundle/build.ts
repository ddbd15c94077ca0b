import { build } from 'esbuild';
import { dirname, join, relative } from 'node:path';
import { EVALUATED, NODE_BUNDLE } from './settings.ts';

/** Much more than all the rest, and seldom asked for: stays outside, and is run from its sources. */
const OUTSIDE = /\/(?:run-audit|world-file)\.ts$/;
const NOT_ASCII = /[^\0-\x7f]/g;

export type Built = { readonly code: string; readonly inputs: readonly string[] };

/**
 * Bundles a command.
 * @param root of the clone
 * @param entry from there
 * @param target where the bundle will stand
 * @returns its code, and the files that it is made of, from the root
 */
export async function bundle(root: string, entry: string, target: string): Promise<Built> {
  const { outputFiles, metafile } = await build({
    ...NODE_BUNDLE,
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: target,
    write: false,
    metafile: true,
    logLevel: 'silent',
    // Names stay readable in the stack of a bug.
    minifyWhitespace: true,
    minifySyntax: true,
    plugins: [
      ...NODE_BUNDLE.plugins,
      {
        name: 'outside',
        setup(made) {
          made.onResolve({ filter: OUTSIDE }, ({ path, resolveDir }) => ({
            path: relative(dirname(target), join(resolveDir, path)),
            external: true,
          }));
        },
      },
    ],
  });
  const [{ text } = { text: '' }] = outputFiles;
  return {
    // esbuild leaves letters in regular expressions, and one letter beyond Latin-1 doubles what the whole text takes.
    code: text.replaceAll(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    inputs: await withTheirs(
      root,
      Object.keys(metafile.inputs).filter((path) => !/^(?:late|builtin):/.test(path)),
    ),
  };
}

/** With what the evaluated files import: only their values stand in the bundle. */
async function withTheirs(root: string, inputs: readonly string[]): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: inputs.filter((path) => EVALUATED.test(`/${path}`)),
    outdir: 'unwritten',
    bundle: true,
    platform: 'node',
    format: 'esm',
    tsconfigRaw: '{}',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return [...new Set([...inputs, ...Object.keys(metafile.inputs)])];
}
