import { RequestError } from '../../schema/errors.ts';
import { unauthorized } from '../access/authenticate.ts';
import { askHome, homeOf } from '../access/key-home.ts';
import type { SlotIndex } from '../base/indexes.ts';
import { timeText } from '../base/time-text.ts';
import { pause } from '../base/pause.ts';
import { forgetShortage, type Funds, fundsSince, knownShortage, noteShortage } from '../ledger/funds.ts';
import { hold, type HoldAnswer } from '../ledger/hold.ts';
import { type Asked, billableOf, type Held } from './batch.ts';
import { refuseAttempt } from './idempotency.ts';
import { mostInFlight, tooManyInFlight } from './in-flight.ts';
import { settlementsOf, unsettled } from './settle.ts';

const DAY_MS = 86_400_000;
/**
 * Credits that an answer returned arrive 250 to 300 ms and a trip to D1 later (settle.ts), and only the isolate that
 * gave the answer knows that they are coming. So no caller is refused for lack of credits before the account's open
 * batches had half a second to return theirs.
 */
const PAUSES_MS = [100, 150, 250] as const;
/** How long an Idempotency-Key may stay taken after another isolate has answered its request. */
const FREED_WITHIN_MS = 500;

/**
 * Takes the credits of a batch, or of those elements not charged yet; its id is the call's. With an Idempotency-Key a
 * header of the answer, refused or not, says how much was charged before.
 * @throws RequestError UNAUTHORIZED, RATE_LIMITED, NO_CREDITS and those of an Idempotency-Key: nothing was taken
 */
export async function holdCredits(asked: Asked): Promise<Held> {
  const { call, bearer, idempotency } = asked;
  const billable = billableOf(asked);
  const begunMs = Date.now();
  const answer = await holdWhatComesBack(asked, billable);
  if (idempotency !== null && 'charged' in answer) call.headers.set('idempotency-charged', String(answer.charged.size));
  switch (answer.kind) {
    case 'held': {
      const { accountId, accountClass, keyId, charged: paid } = answer;
      bearer.markedDay = answer.day;
      const due = new Set(billable.filter((slot) => !paid.has(slot)));
      const [home, holdMs] = [homeOf(call, bearer), Date.now() - begunMs];
      return { ...asked, home, accountId, accountClass, keyId, holdMs, paid, due };
    }
    case 'unknown_key':
      throw unauthorized();
    case 'too_many_in_flight':
      throw tooManyInFlight(mostInFlight(call.config, answer.accountClass), answer.inFlight, probedIn(asked));
    case 'capped':
      throw capped(answer);
    case 'too_few_credits':
      throw new RequestError(
        'NO_CREDITS',
        `This request needs ${several(answer.needed)}; ` +
          `${answer.remaining} ${answer.remaining === 1 ? 'remains' : 'remain'}.`,
        { 'rcpt-remaining': String(answer.remaining) },
      );
    case 'in_progress':
    case 'another_body':
    case 'too_many_attempts':
      throw refuseAttempt(answer);
  }
}

/** What the account has is not the matter. */
function capped({ needed, cap }: Extract<HoldAnswer, { readonly kind: 'capped' }>): RequestError {
  const { label, period, credits, left, resetsAt } = cap;
  const day = timeText(resetsAt).slice(0, 'yyyy-mm-dd'.length);
  return new RequestError(
    'NO_CREDITS',
    `The key "${label}" may spend ${several(credits)} a ${period}: ${left} left, and this request needs ${needed}. ` +
      `The cap resets on ${day} at 00:00 UTC.`,
    { 'rcpt-remaining': String(left) },
  );
}

function several(credits: number): string {
  return `${credits} ${credits === 1 ? 'credit' : 'credits'}`;
}

/** How many addresses of it are probed. */
function probedIn({ bearer, entries }: Asked): number {
  return bearer.kind === 'test' ? 0 : entries.addresses.length;
}

/** Remembered, or read from the account's funds alone. */
type Short = Funds & { readonly kind: 'too_few_credits'; readonly accountId: string; readonly needed: number };

/**
 * Holds, and if missing credits may be on their way back, holds again once they are there. The account's funds are read
 * meanwhile, once for all of its waiting calls. There is nothing to wait for if even all open batches would not be
 * enough.
 */
async function holdWhatComesBack(asked: Asked, billable: readonly SlotIndex[]): Promise<HoldAnswer | Short> {
  const { call, bearer, idempotency } = asked;
  const { db } = homeOf(call, bearer);
  const short = shortOf(db, asked, billable.length);
  // Only D1 knows what is due for a request with an Idempotency-Key.
  let answer = short !== null && idempotency === null ? short : await holdOnce(asked, billable, short !== null);
  if (answer.kind === 'in_progress') {
    // A caller that repeats a request the moment it is answered finds it still open: it is settled a moment later.
    const isHere = await settlementsOf(unsettled(db), answer.accountId);
    if (!isHere) await pause(FREED_WITHIN_MS);
    answer = await holdOnce(asked, billable);
  }
  for (const pauseMs of PAUSES_MS) {
    if (answer.kind !== 'too_few_credits' && answer.kind !== 'capped') break;
    const { accountId, needed } = answer;
    if ((answer.kind === 'capped' ? answer.cap : answer).attainable < needed) break;
    await Promise.all([pause(pauseMs), settlementsOf(unsettled(db), accountId)]);
    if (answer.kind === 'capped') {
      answer = await holdOnce(asked, billable, true);
      continue;
    }
    const askedMs = Date.now();
    const funds = await fundsSince(db, accountId, askedMs, call.waitUntil);
    if (funds.remaining >= needed) answer = await holdOnce(asked, billable);
    else {
      noteShortage(db, accountId, { ...funds, addresses: probedIn(asked), askedMs });
      answer = { ...answer, ...funds };
    }
  }
  return answer;
}

/** A remembered shortage of the account; null if there is none. */
function shortOf(db: D1Database, asked: Asked, needed: number): Short | null {
  const accountId = asked.bearer.owner;
  if (accountId === null) return null;
  const funds = knownShortage(db, accountId, probedIn(asked), Date.now());
  if (funds === null || funds.remaining >= needed) return null;
  const { remaining, attainable } = funds;
  return { kind: 'too_few_credits', accountId, remaining, attainable, needed };
}

async function holdOnce(asked: Asked, billable: readonly SlotIndex[], isDoubtful = false): Promise<HoldAnswer> {
  const { call, bearer, entries, idempotency } = asked;
  const { BATCH_DEADLINE_S, HOLD_GRACE_S } = call.config;
  const { db } = homeOf(call, bearer);
  const addresses = probedIn(asked);
  const sentMs = Date.now();
  const request = {
    batchId: call.id,
    keyHash: bearer.keyHash,
    markUsed: bearer.markedDay < Math.floor(call.startedMs / DAY_MS),
    credits: billable.length,
    addresses,
    entries: entries.slots.length,
    maxInFlight: mostInFlight(call.config, 'bought'),
    maxInFlightFree: mostInFlight(call.config, 'free'),
    lastsMs: (BATCH_DEADLINE_S + HOLD_GRACE_S) * 1000,
    attempt: idempotency === null ? undefined : { ...idempotency, billable, elements: entries.slots.length },
  };
  const answer = await askHome(call, bearer, () => hold(db, request, isDoubtful));
  bearer.owner = answer.kind === 'unknown_key' ? null : answer.accountId;
  if (answer.kind === 'held') forgetShortage(db, answer.accountId);
  if (answer.kind === 'too_few_credits') noteShortage(db, answer.accountId, { ...answer, addresses, askedMs: sentMs });
  return answer;
}
