import { ADMIN_BODY_BYTES_MAX } from '../../schema/admin.ts';
import { FAILURES, RequestError } from '../../schema/errors.ts';
import { readBody, readJson } from '../access/body.ts';
import type { Call } from '../base/call.ts';
import { directoryOf } from '../base/databases.ts';
import { persist } from '../ledger/transient.ts';
import { describe, log } from '../base/log.ts';
import { alarmsObject, fleetShards } from '../base/objects.ts';
import { closeAudit, openAudit } from './audit-row.ts';
import type { Done, Services } from './operation.ts';
import { planOf } from './plan.ts';
import { proveOperator } from './prove.ts';
import { requestDigest } from './request-digest.ts';

const NO_KEYS =
  'The secret OPERATOR_KEYS is not a JSON object of public Ed25519 keys by name: no operator is known. Set it again, as edge/DEPLOYING.md says.';

/**
 * Answers one call of the operator's API: token, audit row, body, operation, in this order. Once the token is proven,
 * every call except polled routes has its row, even if it fails; before that nothing is written and the body is not
 * read.
 * @throws RequestError for every answer but 200 and 201
 */
export async function answerAdmin(call: Call): Promise<Response> {
  const work = answerCall(call);
  // An operator who disconnects half-way must not leave a host changed in D1 but not in the fleet.
  call.waitUntil(work.catch(() => undefined));
  const { status, body } = await work;
  return Response.json(body, { status });
}

async function answerCall(call: Call): Promise<Done> {
  const { request, env, config, startedMs } = call;
  const url = new URL(request.url);
  const header = request.headers.get('authorization');
  if (config.OPERATOR_KEYS === null) throw new RequestError('UNEXPECTED', NO_KEYS);
  const proof = await proveOperator(header, config.OPERATOR_KEYS, url.origin, startedMs);
  if (proof.kind === 'refused')
    throw new RequestError('UNAUTHORIZED', proof.why, { 'www-authenticate': 'Bearer realm="operators"' });

  const { auditPath, run } = planOf(request.method, url);
  const carryOut = async (): Promise<Done> => run(servicesOf(call), await readProven(request, url, proof.request));
  if (auditPath === null) return carryOut().catch((error: unknown) => Promise.reject(refusalOf(call, error)));
  const auditId = await openAudit(env.DB, {
    at: startedMs,
    operator: proof.operator,
    tokenId: proof.tokenId,
    method: request.method,
    path: auditPath,
    bodyHash: proof.request,
  });
  if (auditId === null)
    throw new RequestError('UNAUTHORIZED', 'This token was already used: make a new one for each call.');
  try {
    const answer = await carryOut();
    await noteEnd(call, auditId, answer.status);
    return answer;
  } catch (error) {
    const refusal = refusalOf(call, error);
    await noteEnd(call, auditId, FAILURES[refusal.failure].status);
    throw refusal;
  }
}

function servicesOf(call: Call): Services {
  const { env, config, startedMs } = call;
  return {
    db: env.DB,
    directory: directoryOf(call),
    fleet: fleetShards(call),
    alarms: alarmsObject(env),
    config,
    nowMs: startedMs,
  };
}

/**
 * The body's JSON, once the request is proven to be the one that the token was made for; undefined for an empty body.
 * @throws RequestError UNAUTHORIZED, BODY_TOO_LARGE, INVALID_INPUT
 */
async function readProven(request: Request, url: URL, signed: string): Promise<unknown> {
  const bytes = await readBody(request, ADMIN_BODY_BYTES_MAX);
  if ((await requestDigest(request.method, url.pathname + url.search, bytes)) !== signed)
    throw new RequestError(
      'UNAUTHORIZED',
      'The token was made for another request (its req claim): method, path, query or body differ.',
    );
  return bytes.length === 0 ? undefined : readJson(bytes);
}

/**
 * What is done is done: an answer that may hold a new key is not lost because its row's status could not be written.
 */
async function noteEnd(call: Call, auditId: number, status: number): Promise<void> {
  try {
    await persist(2, () => closeAudit(call.env.DB, auditId, status));
  } catch (error) {
    log('error', 'audit_status_lost', { requestId: call.id, auditId, status, ...describe(error) });
  }
}

/** The refusal of a call. A bug and a failing D1 become refusals too, so that the audit has their status. */
function refusalOf(call: Call, error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  log('error', 'admin_call_failed', { requestId: call.id, ...describe(error) });
  return new RequestError(
    'UNEXPECTED',
    `The call failed on our side; it is safe to repeat it with the same ids. Request ${call.id}.`,
    {},
    error,
  );
}
