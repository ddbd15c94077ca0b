import { RequestError } from '../schema/errors.ts';
import { trim } from '../schema/words/unseen.ts';
import type { Call } from './base/call.ts';
import { sortEntries } from './verify/entries.ts';
import type { Element } from './verify/judge.ts';
import { deliverWhole } from './verify/respond.ts';
import type { Content } from './verify/batch.ts';
import { readEntries, verifyAs, type Form } from './verify/verify.ts';

// The two older forms of the interface, for callers that have not moved. They are charged, limited and refunded like
// the current one, and ignore Idempotency-Key. An address in a URL ends up in the logs of every proxy on the way: that
// is why they are off.

/** RFC 9745: deprecated since 20 November 2026, 00:00 UTC. */
const DEPRECATED_SINCE = '@1795132800';

const single: Form = {
  read: async (call) => readEmail(call),
  deliver: deliverWhole(([element]) => withoutRollup(element)),
};
const bulk: Form = {
  read: async (call) => ({ entries: (await readEntries(call)).entries, idempotency: null }),
  deliver: deliverWhole((results) => ({ total: results.length, results })),
};

/** GET /api/v1/verify?email=: one object, without `status` and `score`. */
export function verifyOne(call: Call): Promise<Response> {
  deprecate(call);
  return verifyAs(single, call);
}

/** POST /api/v1/verify/bulk: `{ total, results }`. */
export function verifyBulk(call: Call): Promise<Response> {
  deprecate(call);
  return verifyAs(bulk, call);
}

function deprecate(call: Call): void {
  call.headers.set('deprecation', DEPRECATED_SINCE);
  call.headers.set('link', '</api/v1/verify>; rel="successor-version"');
}

function readEmail(call: Call): Content {
  const email = new URL(call.request.url).searchParams.get('email') ?? '';
  if (trim(email) === '') throw new RequestError('MISSING_EMAIL', 'The query parameter "email" is required.');
  return { entries: sortEntries([email]), idempotency: null };
}

function withoutRollup(element: Element | undefined): unknown {
  if (element === undefined || 'error' in element) return element;
  const { status: _status, score: _score, ...rest } = element;
  return rest;
}
