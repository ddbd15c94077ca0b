import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import * as z from 'zod';
import { requestDigest } from '../../../edge/admin/request-digest.ts';
import { errorBodySchema } from '../../../schema/api.ts';
import { causeOf } from '../../../prober/link/why-lost.ts';
import { type PrivateJwk } from '../../../schema/jwk.ts';

// The operator's API from outside: sign a call, make it, read the answer.

const ROOT = '/admin/v1';
const ANSWERS_WITHIN_MS = 30_000;
/** Time for the call to arrive; the edge takes at most 60. */
const TOKEN_LIFE_S = 30;

export type Operator = { readonly name: string; readonly privateKey: PrivateJwk };
export type Connection = {
  /** Scheme, name and port of the deployment. */
  readonly origin: string;
  readonly operator: Operator;
};

export type AdminRequest = {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Below the API's root, with its query: `/accounts/acme`. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: object;
};

/** A failed call: refused (`status`), or not answered at all (null). The message is for the operator. */
export class AdminError extends Error {
  readonly status: number | null;

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause });
    this.name = 'AdminError';
    this.status = status;
  }
}

/**
 * Makes one call. It is safe to make it again with the same ids.
 * @returns the answer, proven by `schema`
 * @throws AdminError
 */
export async function callAdmin<T>(connection: Connection, request: AdminRequest, schema: z.ZodType<T>): Promise<T> {
  const response = await send(connection, request);
  const json: unknown = await response.json().catch(() => undefined);
  if (response.ok) {
    const answer = schema.safeParse(json);
    if (answer.success) return answer.data;
    throw new AdminError(`${connection.origin} answered in an unknown form: is it this version of rcpt?`, null);
  }
  const refusal = errorBodySchema.loose().safeParse(json);
  const message = refusal.success
    ? refusal.data.error
    : `${connection.origin} answered ${response.status}: is it rcpt?`;
  throw new AdminError(message, response.status);
}

async function send({ origin, operator }: Connection, request: AdminRequest): Promise<Response> {
  const pathAndQuery = ROOT + request.path;
  const body = request.body === undefined ? '' : JSON.stringify(request.body);
  const token = await signCall(operator, origin, request.method, pathAndQuery, body, Date.now());
  try {
    return await fetch(origin + pathAndQuery, {
      method: request.method,
      headers: { authorization: `Bearer ${token}`, ...(body === '' ? {} : { 'content-type': 'application/json' }) },
      ...(body === '' ? {} : { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
  } catch (error) {
    const why = whyUnanswered(error);
    throw new AdminError(
      `No answer from ${origin}: ${why}. Start it (npm start), or name another deployment with --url.`,
      null,
      error,
    );
  }
}

/** What `fetch` says of it lies below what it throws: `ENOTFOUND`, `ECONNREFUSED`, a certificate. */
function whyUnanswered(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `timed out after ${ANSWERS_WITHIN_MS / 1000} s`;
  return (error instanceof Error ? causeOf(error.cause) : null) ?? 'the connection was lost';
}

/**
 * The token of one call: names the operator and the deployment, is valid for half a minute, once, and only for this
 * method, path and body.
 */
export async function signCall(
  operator: Operator,
  origin: string,
  method: string,
  pathAndQuery: string,
  body: string,
  nowMs: number,
): Promise<string> {
  const now = Math.floor(nowMs / 1000);
  return new SignJWT({ req: await requestDigest(method, pathAndQuery, new TextEncoder().encode(body)) })
    .setProtectedHeader({ alg: 'Ed25519', typ: 'JWT' })
    .setIssuer(operator.name)
    .setSubject(operator.name)
    .setAudience(origin)
    .setIssuedAt(now)
    .setExpirationTime(now + TOKEN_LIFE_S)
    .setJti(randomUUID())
    .sign(await importJWK(operator.privateKey, 'Ed25519'));
}
