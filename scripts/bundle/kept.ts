import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { keptBundle } from '../../edge/local/kept-bundle.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** How a command's bundle is made. */
const MAKERS = ['scripts/bundle/settings.ts', 'scripts/bundle/build.ts'];

/**
 * What to import instead of a command's entry: its bundle, which is made with the first run. Where none can be made or kept
 * (no esbuild, a file system that is read-only, sources that do not compile) it is the entry itself, which says what is
 * wrong with it.
 * @param entry from the root
 */
export async function bundleOf(entry: string, root: string = ROOT): Promise<string> {
  const target = join(root, `node_modules/.cache/bundles/${basename(dirname(entry))}.mjs`);
  try {
    const { isKept } = await keptBundle(root, target, async () => {
      const { bundle } = await import('./build.ts');
      const { code, inputs } = await bundle(root, entry, target);
      return { text: code, inputs: [...inputs, ...MAKERS] };
    });
    if (isKept) return pathToFileURL(target).href;
  } catch {
    // The sources, then.
  }
  return pathToFileURL(join(root, entry)).href;
}
