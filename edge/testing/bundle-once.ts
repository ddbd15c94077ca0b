import { bundleEdge } from '../local/miniflare.ts';

const bundles = new Map<string, Promise<string>>();

/** The bundled Worker of an entry, made once for all files of a test process. */
export function bundleOnce(entry: string): Promise<string> {
  const known = bundles.get(entry);
  if (known !== undefined) return known;
  const bundle = bundleEdge(entry);
  bundles.set(entry, bundle);
  return bundle;
}
