import { pathToFileURL } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';

// How a command of ours becomes one file that starts with little: processor time, and memory.

/** Packages that make much ready as they are loaded, and what is called of them: that loads them, if anything does. */
const LATE: Readonly<Record<string, readonly string[]>> = { tldts: ['getDomain', 'parse'] };

/** Files whose values are texts that depend on no setting. */
export const EVALUATED = /\/prober\/(?:signals\/kept-lists|engine\/meaning\/words\/kept-words)\.ts$/;

/** Loads a package with the first call of it. A bundle can, because `require` finds everything in it at once. */
const late: Plugin = {
  name: 'late',
  setup(build) {
    build.onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
      kind === 'import-statement' && path in LATE ? { path, namespace: 'late' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => ({
      contents: (LATE[path] ?? [])
        .map((name) => `export const ${name} = (...given) => require('${path}').${name}(...given);`)
        .join('\n'),
      resolveDir: build.initialOptions.absWorkingDir ?? '.',
    }));
  },
};

/** Puts the values of a file into the bundle that it has when the bundle is made, and not how it comes to them. */
const evaluated: Plugin = {
  name: 'evaluated',
  setup(build) {
    build.onLoad({ filter: EVALUATED }, async ({ path }) => {
      const exported: object = await import(pathToFileURL(path).href);
      const values = Object.entries(exported).map(
        ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
      );
      return { contents: values.join('\n') };
    });
  },
};

/** Those that take a millisecond or megabytes, and that most runs do without: loaded with the first call of what they export. */
const LATE_BUILTINS: ReadonlySet<string> = new Set(['node:child_process', 'node:dns', 'node:readline']);

/**
 * Takes from Node's own modules what is used of them. An `import` has Node make every export of the module ready, and
 * with those of `node:util`, `node:fs` and `node:crypto` a hundred more modules are loaded.
 */
const builtins: Plugin = {
  name: 'builtins',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin', sideEffects: false } : undefined,
    );
    // `ws` requires it: a module has no `require` of Node's.
    build.onResolve({ filter: /^buffer$/ }, () => ({ path: 'node:buffer', namespace: 'builtin' }));
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, async ({ path }) => {
      const exported: object = await import(path);
      const named = Object.entries(exported).filter(([name]) => name !== 'default' && /^\w+$/.test(name));
      return { contents: LATE_BUILTINS.has(path) ? lateExports(path, named) : earlyExports(path, named) };
    });
  },
};

type Named = ReadonlyArray<readonly [name: string, value: unknown]>;

const earlyExports = (path: string, named: Named): string =>
  [
    `const all = process.getBuiltinModule('${path}');`,
    'export default all;',
    ...named.map(([name]) => `export const ${name} = /* @__PURE__ */ (() => all.${name})();`),
  ].join('\n');

/** Functions and classes only: of another export the value would have to be known. */
function lateExports(path: string, named: Named): string {
  const called = named.filter(([, value]) => typeof value === 'function').map(([name]) => name);
  const exports = called.map(
    (name) => `export function ${name}(...given) {
      const { ${name}: real } = process.getBuiltinModule('${path}');
      return new.target ? new real(...given) : real(...given);
    }`,
  );
  return [`export default { ${called.join(', ')} };`, ...exports].join('\n');
}

/** What every bundle for Node is made with; entry and output are added. */
export const NODE_BUNDLE = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  tsconfigRaw: '{}',
  logLevel: 'error',
  plugins: [late, evaluated, builtins],
} as const satisfies BuildOptions;
