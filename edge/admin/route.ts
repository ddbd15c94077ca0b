import * as z from 'zod';
import { RequestError } from '../../schema/errors.ts';
import type { Route } from '../base/router.ts';
import type { Done, Services } from './operation.ts';

/** A call whose path and query are proven, waiting for its body. */
export type Run = (services: Services, body: unknown) => Promise<Done>;

export type OperatorRoute = Route & {
  /**
   * @param raw the parameters of path and query as they came
   * @throws RequestError INVALID_INPUT
   */
  readonly prepare: (raw: Readonly<Record<string, string>>) => Run;
};

/** The body of a call that takes none. */
export const noBody = z.undefined({ error: 'this call takes no body' });

/**
 * A route whose operation sees its parameters (path and query together) and its body only once both are proven.
 * @param path whole, from the root of the Worker
 */
export function route<P, B>(
  method: 'GET' | 'PUT' | 'DELETE',
  path: string,
  params: z.ZodType<P>,
  body: z.ZodType<B>,
  operate: (services: Services, params: P, body: B) => Promise<Done>,
): OperatorRoute {
  return {
    methods: [method],
    path,
    prepare(raw) {
      const named = prove(params, raw);
      return async (services, json) => operate(services, named, prove(body, json));
    },
  };
}

function prove<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new RequestError('INVALID_INPUT', sentence(parsed.error));
  return parsed.data;
}

/** The first thing wrong, named, in one line. Values stay out: they may be secrets in the wrong place. */
function sentence(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'The request is malformed.';
  const where = issue.path.map(String).join('.');
  const what = issue.code === 'unrecognized_keys' ? 'unknown field or parameter' : issue.message;
  return where === '' ? `The request is malformed: ${what}.` : `${where}: ${what}.`;
}
