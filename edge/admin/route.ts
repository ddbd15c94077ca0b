import * as z from 'zod';
import { type Answer, refusal } from './answer.ts';
import type { Services } from './services.ts';

/** A call whose path and query are proven, waiting for its body. */
export type Run = (services: Services, body: unknown) => Promise<Answer>;
export type Matched =
  /** `auditPath` has ids of known shape, or their names where there is no such path or the ids are not proven. */
  | { readonly kind: 'call'; readonly auditPath: string; readonly run: Run }
  | { readonly kind: 'refused'; readonly auditPath: string; readonly answer: Answer };

export type Route = {
  readonly method: string;
  /** Below the root of the API, with `:name` for a parameter. */
  readonly pattern: string;
  readonly prepare: (params: Readonly<Record<string, string>>) => Run | Answer;
};

/** The body of a call that takes none. */
export const noBody = z.undefined({ error: 'this call takes no body' });

/** A route whose handler sees its parameters (path and query together) and its body only once both are proven. */
export function route<P, B>(
  method: string,
  pattern: string,
  params: z.ZodType<P>,
  body: z.ZodType<B>,
  handle: (services: Services, params: P, body: B) => Promise<Answer>,
): Route {
  return {
    method,
    pattern,
    prepare(raw) {
      const named = params.safeParse(raw);
      if (!named.success) return refusal(400, sentence(named.error));
      return async (services, json) => {
        const parsed = body.safeParse(json);
        return parsed.success ? handle(services, named.data, parsed.data) : refusal(400, sentence(parsed.error));
      };
    },
  };
}

/** Finds the call that a method and URL mean. 405 names what the path does know. */
export function match(routes: readonly Route[], root: string, method: string, url: URL): Matched {
  const segments = url.pathname.slice(root.length).split('/').slice(1);
  const found = routes.flatMap((candidate) => {
    const params = bind(candidate.pattern.split('/'), segments);
    return params === undefined ? [] : [{ candidate, params }];
  });
  if (found.length === 0)
    return {
      kind: 'refused',
      auditPath: '(unknown path)',
      answer: refusal(404, `Nothing is at this path of ${root}.`),
    };
  const hit = found.find(({ candidate }) => candidate.method === method);
  if (hit === undefined) {
    const allow = found.map(({ candidate }) => candidate.method).join(', ');
    const answer = refusal(405, `This path knows ${allow} only.`, { allow });
    return { kind: 'refused', auditPath: `${root}/${found[0]?.candidate.pattern}`, answer };
  }
  const run = hit.candidate.prepare({ ...Object.fromEntries(url.searchParams), ...hit.params });
  return typeof run === 'function'
    ? { kind: 'call', auditPath: url.pathname, run }
    : { kind: 'refused', auditPath: `${root}/${hit.candidate.pattern}`, answer: run };
}

/** The parameters of a path that fits the pattern. */
function bind(pattern: readonly string[], segments: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, name] of pattern.entries()) {
    const segment = segments[at] ?? '';
    if (name.startsWith(':')) params[name.slice(1)] = segment;
    else if (name !== segment) return undefined;
  }
  return params;
}

/** The first thing wrong, named, in one line. Values stay out: they may be secrets in the wrong place. */
function sentence(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'The request is malformed.';
  const where = issue.path.map(String).join('.');
  const what = issue.code === 'unrecognized_keys' ? 'unknown member or parameter' : issue.message;
  return where === '' ? `The request is malformed: ${what}.` : `${where}: ${what}.`;
}
