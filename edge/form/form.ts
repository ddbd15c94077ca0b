import * as z from 'zod';
import { formRequestSchema } from '../../schema/api.ts';
import { type Failure, RequestError } from '../../schema/errors.ts';
import { FORM_WAIT_S } from '../../schema/words/form.ts';
import { readBody, readJson } from '../access/body.ts';
import { type Bearer, findBearer } from '../access/known-keys.ts';
import { FORM_KEY_PREFIX } from '../base/config.ts';
import type { Call } from '../base/call.ts';
import { sortEntries } from '../verify/entries.ts';
import { type Asked, identify } from '../verify/idempotency.ts';
import { billable } from '../verify/price.ts';
import { type Deliver, deliverWhole } from '../verify/respond.ts';
import { startBatch } from '../verify/verify.ts';
import { giveBack, reserve } from './allowance.ts';
import { formAnswer } from './answer.ts';
import { settingsOf } from './form-key.ts';

// POST /api/v1/form: one address, asked about by a page of any site that its key names. The key and the address come in a body
// of text, so that the browser sends it at once and asks for no leave first (a simple request of the Fetch standard). It is held,
// probed and settled as any other verification.

const BODY_BYTES_MAX = 4_096;
const FORM_POST = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;
const LIKE_THIS =
  'Send {"key": "svc_form_…", "email": "…"} as JSON, by fetch, from a page of an origin that the key names.';

const withKeySchema = z.object({ key: z.string().max(128) });
const utf8 = new TextEncoder();

/** @throws RequestError for every answer but 200 */
export async function checkForm(call: Call): Promise<Response> {
  call.headers.set('vary', 'Origin');
  const body = await readText(call);
  const work = answerForm(call, body);
  // A page that is closed half-way must not leave a reservation behind.
  call.waitUntil(work.catch(() => undefined));
  return work;
}

/** The body as JSON: as text, whatever it calls itself, but not what a form itself sends, since its answer would leave the page. */
async function readText({ request }: Call): Promise<unknown> {
  if (FORM_POST.test(request.headers.get('content-type') ?? '')) throw notLikeThis('A form cannot be sent here.');
  const bytes = await readBody(request, BODY_BYTES_MAX, 'send one address');
  try {
    return readJson(bytes);
  } catch {
    throw notLikeThis('The body is not JSON.');
  }
}

async function answerForm(call: Call, body: unknown): Promise<Response> {
  const bearer = await bearerIn(call, body);
  const settings = await settingsOf(call, bearer);
  if (settings === null) throw unauthorized('The key of this form was deleted.');
  allowOrigin(call, settings.origins);
  const sent = formRequestSchema.safeParse(body);
  const entries = sortEntries(sent.success ? [sent.data.email] : []);
  const credits = bearer.kind === 'test' ? 0 : billable(entries, call.config.CHARGE).length;
  const reserved = await reserve(call, bearer, credits, settings);
  if (!sent.success) {
    const [issue] = sent.error.issues;
    throw notLikeThis(`The member ${issue?.path.join('.') ?? ''} is missing or wrong.`);
  }
  const { email, id, wait } = sent.data;
  let charged = 0;
  const whole = deliverWhole(([element]) => formAnswer(element, settings.rejectsDisposable));
  const deliver: Deliver = async (delivery, answer) => {
    const delivered = await whole(delivery, ({ body: text }) => answer(new Response(text, JSON_ANSWER)));
    charged = delivered.charged.length;
    return delivered;
  };
  // What costs nothing need not be known again.
  const isRepeatable = id !== undefined && credits > 0;
  const asked: Asked = { entries, idempotency: isRepeatable ? await identifyForm(call, bearer, id, email) : null };
  const { answer, ended } = startBatch({ deliver, call, bearer, asked, waitS: wait ?? FORM_WAIT_S.usual });
  call.waitUntil(ended.then(() => giveBack(call, bearer, { ...reserved, credits: credits - charged })));
  return answer.catch((error: unknown) => {
    throw withoutFigures(error);
  });
}

/** Without the headers that say what it cost. */
const JSON_ANSWER = { headers: { 'content-type': 'application/json' } } as const;

/** Whose key the body has: no I/O. */
async function bearerIn({ config }: Call, body: unknown): Promise<Bearer> {
  const sent = withKeySchema.safeParse(body);
  if (!sent.success) throw unauthorized(`The body has no key. ${LIKE_THIS}`);
  const bearer = await findBearer(sent.data.key, config);
  if (bearer === null) throw unauthorized(`This is not the key of a form (${FORM_KEY_PREFIX}…).`);
  if (bearer.opens !== 'form')
    throw unauthorized(
      'This is a secret key: it belongs on a server, and calls POST /api/v1/verify. If it stood in a page, delete it. ' +
        `A page needs the key of a form (${FORM_KEY_PREFIX}…): create one under Developers.`,
    );
  return bearer;
}

/** Lets the page read the answer, be it an error, if its origin is one of the key's. Our own pages show a field to try. */
function allowOrigin({ request, headers }: Call, origins: readonly string[]): void {
  const origin = request.headers.get('origin');
  if (origin === null || origin === 'null')
    throw unauthorized(
      'The call has no Origin. A page calls this; a server calls POST /api/v1/verify with a secret key.',
    );
  if (!origins.includes(origin) && origin !== new URL(request.url).origin)
    throw unauthorized(`This key does not work on ${origin.slice(0, 300)}: add that origin to it under Developers.`);
  headers.set('access-control-allow-origin', origin);
}

/** As an `Idempotency-Key` of the account does, under a name that none of its servers' requests has. */
async function identifyForm(call: Call, bearer: Bearer, id: string, email: string): Promise<Asked['idempotency']> {
  const identified = await identify(`form ${bearer.window} ${id}`, utf8.encode(email), call.config);
  return identified === null ? null : { ...identified, list: null };
}

const SAID: Readonly<Partial<Record<Failure, string>>> = {
  NO_CREDITS: 'The account of this form has no credits left.',
  RATE_LIMITED: 'There is no room for this check now. The form works without it.',
  IDEMPOTENCY_IN_PROGRESS: 'A check with this id is still in progress.',
  IDEMPOTENCY_MISMATCH: 'This id was used with another address: make a new one for each.',
  IDEMPOTENCY_EXHAUSTED: 'This id was used too often: make a new one.',
};

/** What the account has and does is its own affair. */
function withoutFigures(error: unknown): unknown {
  const message = error instanceof RequestError ? SAID[error.failure] : undefined;
  if (!(error instanceof RequestError) || message === undefined) return error;
  const retry = error.headers['retry-after'];
  return new RequestError(error.failure, message, retry === undefined ? {} : { 'retry-after': retry });
}

function unauthorized(message: string): RequestError {
  return new RequestError('UNAUTHORIZED', message, { 'www-authenticate': 'Bearer' });
}

function notLikeThis(message: string): RequestError {
  return new RequestError('INVALID_INPUT', `${message} ${LIKE_THIS}`);
}
