import { ADMIN_BODY_BYTES_MAX } from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import type { Call } from '../call.ts';
import { fleetShards } from '../fleet/shards.ts';
import { persist } from '../ledger/transient.ts';
import { describe, log } from '../log.ts';
import { readBody } from '../verify/body.ts';
import { type Answer, refusal } from './answer.ts';
import { closeAudit, openAudit } from './audit.ts';
import { proveOperator, readOperatorKeys } from './prove.ts';
import { requestDigest } from './request-digest.ts';
import { match, type Run } from './route.ts';
import { ADMIN_ROOT, ROUTES } from './routes.ts';
import type { Services } from './services.ts';

/**
 * Answers one call of the operator's API: token, audit row, body, operation, in this order. Once the token is proven
 * every call has its row, whatever becomes of it; before that nothing is written and nothing of the body is read.
 * @throws RequestError UNAUTHORIZED without a proven token
 */
export async function answerAdmin(call: Call): Promise<Response> {
  const work = answerCall(call);
  // An operator who hangs up half-way must not leave a host changed in D1 and unchanged in the fleet.
  call.waitUntil(work.catch(() => undefined));
  const { status, body, headers } = await work;
  return Response.json(body, headers === undefined ? { status } : { status, headers });
}

async function answerCall(call: Call): Promise<Answer> {
  const { request, env, config, startedMs } = call;
  const url = new URL(request.url);
  const header = request.headers.get('authorization');
  const proof = await proveOperator(header, readOperatorKeys(config.OPERATOR_KEYS), url.origin, startedMs);
  if (proof.kind === 'refused')
    throw new RequestError('UNAUTHORIZED', proof.why, { 'www-authenticate': 'Bearer realm="operators"' });

  const matched = match(ROUTES, ADMIN_ROOT, request.method, url);
  const auditId = await openAudit(env.DB, {
    at: startedMs,
    operator: proof.operator,
    tokenId: proof.tokenId,
    method: request.method,
    path: matched.auditPath,
    bodyHash: proof.request,
  });
  if (auditId === null) return refusal(401, 'This token was used before: make a new one for each call.');

  const services: Services = { db: env.DB, fleet: fleetShards(env, config), config, nowMs: startedMs };
  const run: Run = matched.kind === 'call' ? matched.run : () => Promise.resolve(matched.answer);
  const answer = await orRefusal(call, answerProven(request, url, proof.request, services, run));
  await noteEnd(call, auditId, answer.status);
  return answer;
}

/** What was done was done: an answer that may hold a new key is not lost because its row's status could not be noted. */
async function noteEnd(call: Call, auditId: number, status: number): Promise<void> {
  try {
    await persist(2, () => closeAudit(call.env.DB, auditId, status));
  } catch (error) {
    log('error', 'audit_status_lost', { requestId: call.id, auditId, status, ...describe(error) });
  }
}

async function answerProven(request: Request, url: URL, signed: string, services: Services, run: Run): Promise<Answer> {
  const bytes = await readBody(request, ADMIN_BODY_BYTES_MAX);
  if ((await requestDigest(request.method, url.pathname + url.search, bytes)) !== signed)
    return refusal(401, 'The token was made for another request (its req claim): method, path, query or body differ.');
  const body = parseBody(bytes);
  return body === 'malformed' ? refusal(400, 'The body is no JSON in UTF-8.') : run(services, body.json);
}

/** A JSON body; undefined for an empty one. */
function parseBody(bytes: Uint8Array): { readonly json: unknown } | 'malformed' {
  if (bytes.length === 0) return { json: undefined };
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)) };
  } catch {
    return 'malformed';
  }
}

/** A body that was not read to its end, a bug, a D1 that fails: answers too, so that the audit has their status. */
async function orRefusal(call: Call, work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RequestError && error.failure === 'BODY_TOO_LARGE')
      return refusal(413, `The body is longer than ${ADMIN_BODY_BYTES_MAX} bytes.`);
    if (error instanceof RequestError) return refusal(400, error.message);
    log('error', 'admin_call_failed', { requestId: call.id, ...describe(error) });
    return refusal(500, `The call failed on our side; it is safe to repeat it with the same ids. Request ${call.id}.`);
  }
}
