import * as z from 'zod';
import { RequestError } from '../../schema/errors.ts';
import type { Call } from '../base/call.ts';
import type { Session } from '../people/sessions.ts';
import { type Input, route } from '../base/route-input.ts';
import type { Route } from '../base/router.ts';

/** The result of an operation of the pages' API; a refusal throws a RequestError. */
export type JsonResponse = {
  readonly status: 200 | 201 | 202;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
};

export function answer(body: object = {}, status: JsonResponse['status'] = 200): JsonResponse {
  return { status, body };
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
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
  ) => Promise<JsonResponse>;
};

/** The body of a call without input. */
export const nothing = z.strictObject({}).optional();
export const noParams = z.strictObject({});
/** Of a path that names one thing. */
export const idParams = z.strictObject({ id: z.string() });
export type Id = z.infer<typeof idParams>;

/** A route that anyone may call. */
export function open<P, B>(
  method: Method,
  path: string,
  input: Input<P, B>,
  operate: (call: Call, params: P, body: B) => Promise<JsonResponse>,
): PageRoute {
  const { methods, prepare } = route(method, path, input, operate);
  return { methods, path, who: 'anyone', run: async (call, _session, raw, json) => prepare(raw)(call, json) };
}

/** A route for people who are signed in, or only for owners among them. */
export function signedIn<P, B>(
  who: Exclude<Who, 'anyone'>,
  method: Method,
  path: string,
  input: Input<P, B>,
  operate: (call: Call, session: Session, params: P, body: B) => Promise<JsonResponse>,
): PageRoute {
  type SignedIn = { readonly call: Call; readonly session: Session };
  const { methods, prepare } = route(method, path, input, ({ call, session }: SignedIn, params: P, body: B) =>
    operate(call, session, params, body),
  );
  return {
    methods,
    path,
    who,
    run: async (call, session, raw, json) => {
      if (session === null) throw notSignedIn();
      if (who === 'owner' && session.account.role !== 'owner') throw ownersOnly();
      return prepare(raw)({ call, session }, json);
    },
  };
}

export function ownersOnly(): RequestError {
  return new RequestError('FORBIDDEN', 'Only an owner of this account can do this.');
}

export function tooMany(message: string, retryAfterS: string): RequestError {
  return new RequestError('RATE_LIMITED', message, { 'retry-after': retryAfterS });
}

export function notSignedIn(): RequestError {
  return new RequestError('UNAUTHORIZED', 'You are signed out. Sign in again.');
}
