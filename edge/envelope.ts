import { getPath } from 'hono/utils/url';
import { codeOf, FAILURES, RequestError } from '../schema/errors.ts';
import { shield } from './access/shield.ts';
import { FORM_PATH, newCallId, type Call } from './base/call.ts';
import { ConfigError, readConfig } from './base/config.ts';
import type { Env } from './base/env.ts';
import { causeOf } from './base/fault-cause.ts';
import { describe, log } from './base/log.ts';
import { healthOfMisconfigured, noteMisconfigured } from './health/misconfigured.ts';
import { raiseAlarms } from './base/raise-alarms.ts';

// What every request and every answer has in common.

const SECURITY_HEADERS: ReadonlyArray<readonly [name: string, value: string]> = [
  ['cache-control', 'no-store'],
  ['strict-transport-security', 'max-age=31536000'],
  ['x-content-type-options', 'nosniff'],
];

/**
 * Opens the call, has it answered, and adds the request id and the common headers to the answer. Errors thrown become
 * the interface's error body; unexpected ones reveal nothing but the request's id.
 */
export async function envelop(
  request: Request,
  env: Env,
  ctx: Pick<ExecutionContext, 'waitUntil'>,
  handle: (call: Call) => Response | Promise<Response>,
): Promise<Response> {
  const startedMs = Date.now();
  const id = newCallId(startedMs, getPath(request) === FORM_PATH);
  const headers = new Map([...SECURITY_HEADERS, ['rcpt-request-id', id]]);
  const waitUntil: Call['waitUntil'] = (work) => ctx.waitUntil(work);
  try {
    const call: Call = { id, request, env, config: readConfig(env), startedMs, waitUntil, headers };
    const answer = await shielded(call, handle);
    // The answer of a WebSocket upgrade cannot be changed.
    if (answer.status !== 101) for (const [name, value] of headers) answer.headers.set(name, value);
    return answer;
  } catch (thrown) {
    if (thrown instanceof ConfigError && new URL(request.url).pathname === '/health')
      return Response.json(healthOfMisconfigured(thrown), { status: 503, headers: Object.fromEntries(headers) });
    const error = thrown instanceof RequestError ? thrown : unexpected(thrown, id, request.url);
    return failed(error, headers);
  } finally {
    raiseAlarms({ env, waitUntil });
  }
}

async function shielded(call: Call, handle: (call: Call) => Response | Promise<Response>): Promise<Response> {
  try {
    return await handle(call);
  } catch (thrown) {
    throw thrown instanceof RequestError && thrown.failure === 'UNAUTHORIZED' ? shield(call, thrown) : thrown;
  }
}

/** After a fault of ours: a longer outage does not end any sooner if clients retry faster. */
const FAULT_RETRY_S = 5;

function failed(error: RequestError, headers: Call['headers']): Response {
  const { status } = FAILURES[error.failure];
  if (status === 500) headers.set('retry-after', String(FAULT_RETRY_S));
  const code = codeOf(error.failure);
  const body = code === null ? { error: error.message } : { error: error.message, code };
  return Response.json(body, { status, headers: { ...Object.fromEntries(headers), ...error.headers } });
}

/** Only calls of the public API say how customers are served. */
function unexpected(thrown: unknown, requestId: string, url: string): RequestError {
  const cause = new URL(url).pathname.startsWith('/api/') ? causeOf(thrown) : 'other';
  if (thrown instanceof ConfigError) noteMisconfigured(thrown);
  else log('error', 'unexpected', { requestId, cause, ...describe(thrown) });
  return new RequestError('UNEXPECTED', `Something went wrong on our side. Request ${requestId}.`, {}, thrown);
}
