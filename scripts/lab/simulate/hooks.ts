import { registerHooks } from 'node:module';
import { type Bug } from './bugs.ts';

// The simulation runs the real files of edge and hosts. What they import of the platform is stood in for, because its
// answers come in an order of its own; the stand-ins answer at once.

const STAND_INS: Readonly<Record<string, string>> = {
  'cloudflare:workers': './stand-ins/workers.ts',
  jose: './stand-ins/jose.ts',
  ws: './stand-ins/ws.ts',
};

/**
 * Takes effect for every file that is imported from now on.
 * @param bug is put into the file that it names
 * @returns whether that has happened
 */
export function standIn(bug: Bug | null): () => boolean {
  let isPutIn = false;
  registerHooks({
    resolve(specifier, context, next) {
      const file = STAND_INS[specifier];
      return file === undefined
        ? next(specifier, context)
        : { url: new URL(file, import.meta.url).href, shortCircuit: true };
    },
    load(url, context, next) {
      const loaded = next(url, context);
      if (bug === null || !url.endsWith(bug.file) || loaded.source === undefined || loaded.source === null)
        return loaded;
      const { source } = loaded;
      const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
      if (!text.includes(bug.from)) throw new Error(`${bug.file} has no longer the line that the bug is put into`);
      isPutIn = true;
      return { ...loaded, source: text.replace(bug.from, bug.to) };
    },
  });
  return () => isPutIn;
}
