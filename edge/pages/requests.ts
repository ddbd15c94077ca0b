import * as z from 'zod';
import { RequestError } from '../../schema/errors.ts';
import type { CallEntry, CallLog } from '../../schema/pages-api.ts';
import { accountPartOf, limiterOf } from '../access/key.ts';
import type { Call } from '../base/call.ts';
import { timeText } from '../base/time-text.ts';
import { latestCalls } from '../call-log/latest-calls.ts';
import type { LoggedCall } from '../call-log/read-calls.ts';
import { listKeys } from '../people/keys.ts';
import type { Session } from '../people/sessions.ts';
import { homeOfSession } from './account-home.ts';
import { whole } from './money.ts';
import { type JsonResponse, answer } from './route.ts';

const ROWS_SHOWN = 50;
const ROWS_MAX = 200;
const DAY_MS = 86_400_000;

const moment = z.union([z.iso.date(), z.iso.datetime()], { error: 'must be a day or a time in UTC' });

export const requestParams = z.strictObject({
  limit: whole(ROWS_MAX).default(ROWS_SHOWN),
  /** The `next` of the previous page. */
  before: z
    .string()
    .regex(/^\d{1,15}\.[0-9a-f-]{36}$/, 'must be the "next" of an earlier page')
    .optional(),
  /** A key's id, `page`, or `deleted` for all keys that are gone. */
  key: z.string().max(64).optional(),
  /** A status such as `402`, or a code such as `NO_CREDITS`. */
  status: z
    .string()
    .regex(/^([1-5]\d\d|[A-Z_]{1,64})$/, 'must be a status or a code')
    .optional(),
  from: moment.optional(),
  /** A day includes all of it. */
  to: moment.optional(),
});
type Params = z.infer<typeof requestParams>;

/** One page of the log of the account's calls, newest first. */
export async function showRequests(call: Call, session: Session, params: Params): Promise<JsonResponse> {
  const { account, person, database } = session;
  if (params.from !== undefined && params.to !== undefined && startOf(params.from) >= endOf(params.to))
    throw new RequestError('INVALID_INPUT', 'from: must not be after "to".');
  const home = homeOfSession(call, session);
  const limiter = await limiterOf(await accountPartOf(account.id, database));
  const [calls, keys] = await Promise.all([
    latestCalls(home.db, { accountId: account.id, limiter }, call.startedMs, call.waitUntil),
    listKeys({ accountId: account.id, by: person.id, home }),
  ]);
  const keyOf = ({ keyId, hint }: LoggedCall): string | null =>
    keyId === 'page' || hint === 'page'
      ? 'page'
      : (keys.find(({ id, hint: its }) => id === keyId || its === hint)?.id ?? null);
  const found = calls.map((one) => entryOf(one, keyOf(one))).filter((one) => isWanted(one, params));
  const rows = found.slice(0, params.limit);
  const last = rows.at(-1);
  const isLast = last === undefined || found.length <= params.limit;
  return answer({
    rows,
    next: isLast ? null : placeOf(last),
    labels: Object.fromEntries(keys.map(({ id, label }) => [id, label])),
  } satisfies CallLog);
}

function entryOf({ at, id, keyId: _keyId, hint, ...call }: LoggedCall, key: string | null): CallEntry {
  return { at: timeText(at), requestId: id, key, hint: hint === 'page' ? null : hint, ...call };
}

function isWanted(entry: CallEntry, { before, key, status, from, to }: Params): boolean {
  const atMs = Date.parse(entry.at);
  return (
    (before === undefined || isOlder(entry, before)) &&
    (key === undefined || key === (entry.key ?? 'deleted')) &&
    (status === undefined || status === String(entry.status) || status === entry.code) &&
    (from === undefined || atMs >= startOf(from)) &&
    (to === undefined || atMs < endOf(to))
  );
}

/** Where a page ends. */
function placeOf({ at, requestId }: CallEntry): string {
  return `${Date.parse(at)}.${requestId}`;
}

function isOlder({ at, requestId }: CallEntry, place: string): boolean {
  const [ms = '', id = ''] = place.split('.');
  return Date.parse(at) < Number(ms) || (Date.parse(at) === Number(ms) && requestId < id);
}

function startOf(text: string): number {
  return Date.parse(text);
}

function endOf(text: string): number {
  return Date.parse(text) + (text.length === '2026-11-28'.length ? DAY_MS : 1);
}
