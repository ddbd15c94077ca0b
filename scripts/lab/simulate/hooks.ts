import { registerHooks } from 'node:module';

// The simulation runs the real files of edge and hosts. What they import of the platform is stood in for, because its
// answers come in an order of its own; the stand-ins answer at once.

const STAND_INS: Readonly<Record<string, string>> = {
  'cloudflare:workers': './stand-ins/workers.ts',
  jose: './stand-ins/jose.ts',
  ws: './stand-ins/ws.ts',
};

/** Takes effect for every file that is imported from now on. */
export function standIn(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const file = STAND_INS[specifier];
      if (file === undefined) return next(specifier, context);
      return { url: new URL(file, import.meta.url).href, shortCircuit: true };
    },
  });
}
