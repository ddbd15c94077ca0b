import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import { RequestError } from '../../schema/errors.ts';

// Finds the route of a request, and makes the 404 or 405 of a request that has none. The methods that a path takes are
// derived from the routes: a new one cannot be missing from a 405 and its Allow.

export type Route = {
  /** Includes HEAD if it is answered. ALL stands for every method. */
  readonly methods: ReadonlyArray<'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'ALL'>;
  /** `:name` stands for one segment, `*` at the end for any rest. */
  readonly path: string;
};

export type Found<R extends Route> =
  | { readonly kind: 'route'; readonly route: R; readonly params: Readonly<Record<string, string>> }
  /** `refusal`: METHOD_NOT_ALLOWED with the methods that the path takes in `Allow`; `route` is one of these. */
  | { readonly kind: 'other_methods'; readonly route: R; readonly refusal: RequestError }
  /** `refusal`: NOT_FOUND. */
  | { readonly kind: 'no_path'; readonly refusal: RequestError };

/** Creates the function that finds the route of a method and path among these. @param nothing the text of a 404 */
export function createRouter<R extends Route>(
  routes: readonly R[],
  nothing = 'There is nothing at this path.',
): (method: string, path: string) => Found<R> {
  const router = new SmartRouter<R>({ routers: [new RegExpRouter(), new TrieRouter()] });
  for (const route of routes) for (const method of route.methods) router.add(method, route.path, route);
  const methods = [...new Set(routes.flatMap((route) => route.methods))].toSorted();
  return (method, path) => {
    const hit = firstMatch(router, method, path);
    if (hit !== null) return { kind: 'route', ...hit };
    const others = methods.flatMap((other) => {
      const match = firstMatch(router, other, path);
      return match === null ? [] : [{ method: other, route: match.route }];
    });
    const [first] = others;
    if (first === undefined) return { kind: 'no_path', refusal: new RequestError('NOT_FOUND', nothing) };
    const allow = others.map((other) => other.method).join(', ');
    const refusal = new RequestError('METHOD_NOT_ALLOWED', `This path takes ${allow} only.`, { allow });
    return { kind: 'other_methods', route: first.route, refusal };
  };
}

function firstMatch<R>(
  router: SmartRouter<R>,
  method: string,
  path: string,
): { readonly route: R; readonly params: Readonly<Record<string, string>> } | null {
  const [matches, stash] = router.match(method, path);
  const [first] = matches;
  if (first === undefined) return null;
  const [route, raw] = first;
  const params: Record<string, string> = {};
  // One router returns the parameters, the other an index into the stash.
  for (const [name, value] of Object.entries(raw))
    params[name] = typeof value === 'number' ? (stash?.[value] ?? '') : value;
  return { route, params };
}
