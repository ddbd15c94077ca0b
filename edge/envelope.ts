import type { ErrorHandler, MiddlewareHandler } from 'hono';
import { FAILURES, RequestError } from '../schema/errors.ts';
import { newCallId, type Call, type Room } from './call.ts';
import { readConfig } from './config.ts';
import { describe, log } from './log.ts';
import { shield } from './shield.ts';

// What every request and every answer has, whatever happens between.

const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
} as const;

/** Opens the call, and puts the request id and the headers that every answer has on its answer. */
export const envelop: MiddlewareHandler<Room> = async (c, next) => {
  const startedMs = Date.now();
  const id = newCallId(startedMs);
  const call: Call = {
    id,
    request: c.req.raw,
    env: c.env,
    config: readConfig(c.env),
    startedMs,
    waitUntil: (work) => c.executionCtx.waitUntil(work),
    headers: new Headers(SECURITY_HEADERS),
  };
  call.headers.set('x-request-id', id);
  c.set('call', call);
  await next();
  // A WebSocket's answer cannot be touched.
  if (c.res.status === 101) return;
  for (const [name, value] of call.headers) c.res.headers.set(name, value);
};

/** Turns what was thrown into the interface's error body. What nobody foresaw says nothing but the request's id. */
export const failed: ErrorHandler<Room> = (thrown, c) => {
  const call = c.get('call');
  let failure = thrown instanceof RequestError ? thrown : unexpected(thrown, call?.id ?? null);
  if (call !== undefined && failure.failure === 'UNAUTHORIZED') failure = shield(call, failure);
  const { status, code } = FAILURES[failure.failure];
  const body = code === null ? { error: failure.message } : { error: failure.message, code };
  const headers = call === undefined ? { ...SECURITY_HEADERS, ...failure.headers } : failure.headers;
  return Response.json(body, { status, headers });
};

function unexpected(thrown: unknown, requestId: string | null): RequestError {
  log('error', 'unexpected', { requestId, ...describe(thrown) });
  const reference = requestId === null ? '' : ` Request ${requestId}.`;
  return new RequestError('UNEXPECTED', `Something went wrong on our side.${reference}`, {}, thrown);
}
