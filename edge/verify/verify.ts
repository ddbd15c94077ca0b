import { authenticate, prove } from '../access/authenticate.ts';
import { readBody } from '../access/body.ts';
import type { Bearer } from '../access/known-keys.ts';
import { limit } from '../access/limit.ts';
import type { Call } from '../base/call.ts';
import type { Content } from './batch.ts';
import type { Entries } from './entries.ts';
import { identify } from './idempotency.ts';
import { conclude } from './outcome.ts';
import { readWaitS } from './prefer.ts';
import { deliverLines } from './respond-lines.ts';
import { deliverWhole, type Deliver } from './respond.ts';
import { runBatch } from './run-batch.ts';
import { validate } from './validate.ts';
import { wantsLines } from './wants-lines.ts';

/** How the forms of the request differ: where the entries come from, and how the answer looks. */
export type Form = { readonly read: (call: Call) => Promise<Content>; readonly deliver: Deliver };

const wholeArray = deliverWhole((elements) => elements);

/** POST /api/v1/verify: one element per entry, in their order. */
export function verify(call: Call): Promise<Response> {
  const deliver = wantsLines(call.request.headers.get('accept')) ? deliverLines : wholeArray;
  return verifyAs({ read: readContent, deliver }, call);
}

/** A JSON body with its Idempotency-Key. */
async function readContent(call: Call): Promise<Content> {
  const { bytes, entries } = await readEntries(call);
  return { entries, idempotency: await identify(call.request.headers.get('idempotency-key'), bytes, call.config) };
}

/** The entries of a JSON body. */
export async function readEntries({ config, request }: Call): Promise<{ bytes: Uint8Array; entries: Entries }> {
  const { MAX_BODY_BYTES, MAX_ADDRESSES } = config;
  const bytes = await readBody(request, MAX_BODY_BYTES, 'split the batch');
  return { bytes, entries: validate(bytes, request.headers.get('content-encoding'), MAX_ADDRESSES) };
}

/**
 * One verification, from the key to the settlement. Nothing runs after a failed check.
 * @throws RequestError for every answer but 200
 */
export function verifyAs({ read, deliver }: Form, call: Call): Promise<Response> {
  return conclude(call, async (progress) => {
    const bearer = await authenticate(call, (known) => progress.reached({ bearer: known }));
    await limit(call, bearer);
    const content = await readOrProve(read, call, bearer);
    const waitS = readWaitS(call.request.headers.get('prefer'), call.config.BATCH_DEADLINE_S);
    return runBatch({ call, bearer, ...content, waitS }, deliver, progress);
  });
}

/** A deleted key gets 401 even if something else is wrong with its request. */
async function readOrProve(read: Form['read'], call: Call, bearer: Bearer): Promise<Content> {
  try {
    return await read(call);
  } catch (error) {
    await prove(call, bearer);
    throw error;
  }
}
