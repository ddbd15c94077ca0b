import * as z from 'zod';
import { RequestError } from '../../schema/errors.ts';
import type { Route } from './router.ts';

// A route whose operation sees a caller's input only after validation. The operator's API and the pages' are built from
// these.

/** The input of a call: parameters of path and query together, and a body. */
export type Input<P, B> = { readonly params: z.ZodType<P>; readonly body: z.ZodType<B> };

/**
 * A call with validated parameters, waiting for its body. @throws RequestError INVALID_INPUT; what its operation throws
 */
export type Run<C, D> = (context: C, body: unknown) => Promise<D>;

/** `C`: what operations work with; `D`: what they return. */
export type InputRoute<C, D> = Route & {
  readonly body: z.ZodType;
  /**
   * @param raw the parameters as they came
   * @throws RequestError INVALID_INPUT
   */
  readonly prepare: (raw: Readonly<Record<string, string>>) => Run<C, D>;
};

/** @param path complete, from the root of the Worker */
export function route<C, P, B, D>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { params, body }: Input<P, B>,
  operate: (context: C, params: P, body: B) => Promise<D>,
): InputRoute<C, D> {
  return {
    methods: [method],
    path,
    body,
    prepare(raw) {
      const named = prove(params, raw);
      return async (context, json) => operate(context, named, prove(body, json));
    },
  };
}

function prove<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new RequestError('INVALID_INPUT', sentence(parsed.error));
  return parsed.data;
}

/** The first error, named, in one line. Values are left out: they may be secrets in the wrong place. */
function sentence(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'The request is malformed.';
  const where = issue.path.map(String).join('.');
  const what = issue.code === 'unrecognized_keys' ? 'unknown member or parameter' : issue.message;
  return where === '' ? `The request is malformed: ${what}.` : `${where}: ${what}.`;
}
