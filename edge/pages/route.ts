import * as z from 'zod';
import { RequestError } from '../../schema/errors.ts';
import type { Call } from '../base/call.ts';
import type { Session } from '../people/sessions.ts';
import type { Route } from '../base/router.ts';

/** What an operation of the pages' API ends in; one that refuses throws a RequestError. */
export type Answer = {
  readonly status: 200 | 201 | 202;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
};

export function answer(body: object = {}, status: Answer['status'] = 200): Answer {
  return { status, body };
}

/** Who may call. */
type Who = 'anyone' | 'person' | 'owner';

export type PageRoute = Route & {
  readonly who: Who;
  /**
   * @param raw the parameters of path and query as they came
   * @param session null only if anyone may call
   * @throws RequestError
   */
  readonly run: (
    call: Call,
    session: Session | null,
    raw: Readonly<Record<string, string>>,
    json: unknown,
  ) => Promise<Answer>;
};

type Methods = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The body of a call that has nothing to say. */
export const nothing = z.strictObject({}).optional();
export const noParams = z.strictObject({});

type Shape<P, B> = { readonly params: z.ZodType<P>; readonly body: z.ZodType<B> };

/** A route that anyone may call. Its operation sees parameters (path and query together) and body once both are proven. */
export function open<P, B>(
  method: Methods,
  path: string,
  { params, body }: Shape<P, B>,
  operate: (call: Call, params: P, body: B) => Promise<Answer>,
): PageRoute {
  return {
    methods: [method],
    path,
    who: 'anyone',
    run: async (call, _session, raw, json) => operate(call, prove(params, raw), prove(body, json)),
  };
}

/** A route for people who are signed in, or for the owners among them alone. */
export function signedIn<P, B>(
  who: Exclude<Who, 'anyone'>,
  method: Methods,
  path: string,
  { params, body }: Shape<P, B>,
  operate: (call: Call, session: Session, params: P, body: B) => Promise<Answer>,
): PageRoute {
  return {
    methods: [method],
    path,
    who,
    run: async (call, session, raw, json) => {
      if (session === null) throw notSignedIn();
      if (who === 'owner' && session.account.role !== 'owner') throw ownersOnly();
      return operate(call, session, prove(params, raw), prove(body, json));
    },
  };
}

export function ownersOnly(): RequestError {
  return new RequestError('FORBIDDEN', 'Only an owner of this account can do this.');
}

export function notSignedIn(): RequestError {
  return new RequestError('UNAUTHORIZED', 'You are signed out. Sign in again.');
}

function prove<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  // Values stay out: they may be tokens.
  const where = issue?.path.map(String).join('.') ?? '';
  throw new RequestError('INVALID_INPUT', `${where === '' ? 'The request' : where}: ${issue?.message ?? 'malformed'}.`);
}
