import * as z from 'zod';
import { formRequestSchema } from '../../schema/api.ts';
import { RequestError } from '../../schema/errors.ts';
import { FORM_WAIT_S } from '../../schema/words/form.ts';
import { readBody, readJson } from '../access/body.ts';
import { askHome } from '../access/key-home.ts';
import { type Bearer, findBearer } from '../access/known-keys.ts';
import { countVisit } from '../access/shield.ts';
import type { Call } from '../base/call.ts';
import { sortEntries } from '../verify/entries.ts';
import type { Ended } from '../verify/batch.ts';
import { identify } from '../verify/idempotency.ts';
import { conclude, type Progress } from '../verify/outcome.ts';
import { billable } from '../verify/price.ts';
import { byteAhead, deliverWhole } from '../verify/respond.ts';
import { runBatch } from '../verify/run-batch.ts';
import { giveBack, reserve } from './allowance.ts';
import { formAnswer } from './answer.ts';
import { readForm } from './form-key.ts';

// POST /api/v1/form: one address, checked by a page of any site that its key allows. The key and the address are in a
// text body, so that the browser sends it at once without a preflight (a simple request of the Fetch standard). It is
// held, probed and settled like any other verification.

const BODY_BYTES_MAX = 4_096;
const LIKE_THIS =
  'Send {"key": "svc_form_…", "email": "…"} as JSON, by fetch, from a page of an origin that the key names.';

const withKeySchema = z.object({ key: z.string().max(128) });
const utf8 = new TextEncoder();

/** @throws RequestError for every answer but 200 */
export function checkForm(call: Call): Promise<Response> {
  call.headers.set('vary', 'Origin');
  return conclude(call, (progress) => answerForm(call, progress));
}

async function answerForm(call: Call, progress: Progress): Promise<Ended | null> {
  countVisit(call, 'form');
  const body = readBodyOfForm(await readBody(call.request, BODY_BYTES_MAX, 'send one address'));
  const bearer = await bearerIn(call, body, progress);
  const settings = await askHome(call, bearer, ({ db }) => readForm(db, bearer.keyHash));
  if (settings === null) throw unauthorized('The key of this form was deleted.');
  allowOrigin(call, settings.origins);
  const sent = formRequestSchema.safeParse(body);
  const entries = sortEntries(sent.success ? [sent.data.email] : []);
  const credits = bearer.kind === 'test' ? 0 : billable(entries, call.config.CHARGE).length;
  const reserved = await reserve(call, bearer, credits, settings);
  if (!sent.success) throw invalid(`The member ${sent.error.issues[0]?.path.join('.')} is missing or wrong.`);
  const { email, id, wait: waitS = FORM_WAIT_S.usual } = sent.data;
  // Used as an Idempotency-Key, under a name that no request of the account's servers can have. Free checks need none.
  const header = id === undefined || credits === 0 ? null : `form ${bearer.window} ${id}`;
  const known = await identify(header, utf8.encode(email), call.config);
  const idempotency = known === null ? null : { ...known, list: null };
  const deliver = deliverWhole(([element]) => formAnswer(element, settings.rejectsDisposable), byteAhead);
  let charged = 0;
  try {
    const ended = await runBatch({ call, bearer, entries, idempotency, waitS }, deliver, withoutMoney(call, progress));
    charged = ended?.delivered.charged.length ?? 0;
    return ended;
  } catch (error) {
    call.headers.delete('idempotency-charged');
    const isPoor = error instanceof RequestError && error.failure === 'NO_CREDITS';
    throw isPoor ? new RequestError('NO_CREDITS', 'The account of this form has no credits left.') : error;
  } finally {
    call.waitUntil(giveBack(call, bearer, { ...reserved, credits: credits - charged }));
  }
}

/** The account's balance, and the cost of this check, are not the visitor's business. */
function withoutMoney({ headers }: Call, { answer, reached }: Progress): Progress {
  return {
    answer: ({ body }) => {
      headers.delete('idempotency-charged');
      answer(new Response(body, { headers: { 'content-type': 'application/json' } }));
    },
    reached,
  };
}

function readBodyOfForm(bytes: Uint8Array): unknown {
  try {
    return readJson(bytes);
  } catch {
    throw invalid('The body is not JSON.');
  }
}

/** The bearer of the body's key: no I/O. */
async function bearerIn({ config }: Call, body: unknown, { reached }: Progress): Promise<Bearer> {
  const sent = withKeySchema.safeParse(body);
  if (!sent.success) throw unauthorized(`The body has no key. ${LIKE_THIS}`);
  const bearer = await findBearer(sent.data.key, config);
  if (bearer === null) throw unauthorized('This is not the key of a form (svc_form_…).');
  reached({ bearer });
  if (bearer.opens === 'form') return bearer;
  throw unauthorized(
    'This is a secret key: it belongs on a server, and calls POST /api/v1/verify. If it stood in a page, delete it. A page needs ' +
      'the key of a form (svc_form_…): create one under Developers.',
  );
}

/** Lets the page read the answer, or error, if its origin is one of the key's. Our own pages show a field to try it. */
function allowOrigin({ request, headers }: Call, origins: readonly string[]): void {
  const origin = request.headers.get('origin');
  if (origin === null || origin === 'null')
    throw unauthorized(
      'The call has no Origin. A page calls this; a server calls POST /api/v1/verify with a secret key.',
    );
  if (!origins.includes(origin) && origin !== new URL(request.url).origin)
    throw unauthorized(`This key does not work on ${origin.slice(0, 300)}: add that origin to it under Developers.`);
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-expose-headers', 'rcpt-request-id, retry-after');
}

function unauthorized(message: string): RequestError {
  return new RequestError('UNAUTHORIZED', message, { 'www-authenticate': 'Bearer' });
}

function invalid(message: string): RequestError {
  return new RequestError('INVALID_INPUT', `${message} ${LIKE_THIS}`);
}
