import { RequestError } from '../../schema/errors.ts';
import type { AccountClass } from '../../schema/shares.ts';
import { learnOwner, refuseUnknown, unauthorized } from '../access/authenticate.ts';
import { askHome, homeOf } from '../access/key-home.ts';
import { type Bearer, markedDay, noteMarked, ownerOf } from '../access/known-keys.ts';
import type { Call } from '../base/call.ts';
import type { SlotIndex } from '../base/indexes.ts';
import { type Home } from '../base/databases.ts';
import { pause } from '../base/pause.ts';
import { forgetShortage, fundsSince, knownShortage, noteShortage } from '../ledger/funds.ts';
import { type Funds, hold, type HoldAnswer } from '../ledger/hold.ts';
import { type AttemptAnswer, holdAttempt, type Idempotency } from '../ledger/hold-attempt.ts';
import { refuseAttempt } from './idempotency.ts';
import { tooManyInFlight } from './in-flight.ts';
import { settlementsOf, unsettled } from './settle.ts';

const DAY_MS = 86_400_000;
/**
 * What an answer returned is there 50 to 300 ms and a trip to D1 later (last-hop.ts), and only the isolate that gave the answer knows that it is on its
 * way. So nobody is told that credits lack before the account's open batches had half a second to come back.
 */
const PAUSES_MS = [100, 150, 250] as const;
/** How long an Idempotency-Key may still be taken after another isolate has answered its request. */
const FREED_WITHIN_MS = 500;

/** What a batch asks for. */
export type Order = {
  /** The elements that cost a credit each, unless earlier requests with its Idempotency-Key paid for them. */
  readonly billable: readonly SlotIndex[];
  readonly elements: number;
  /** How many addresses it probes. */
  readonly addresses: number;
  readonly idempotency: Idempotency | null;
};

/**
 * `keyId`: null if nothing is counted. `tripMs`: what the trip to D1 took that held the credits, 0 if none did.
 * `charged`: what earlier requests with the same Idempotency-Key paid for. `home`: where the credits are held.
 */
export type Payer = {
  readonly home: Home;
  readonly accountId: string;
  readonly accountClass: AccountClass;
  readonly keyId: string | null;
  readonly tripMs: number;
  readonly charged: ReadonlySet<SlotIndex>;
};

const NONE: ReadonlySet<SlotIndex> = new Set();

/**
 * Takes the credits of a batch, or of what of it was not charged yet; its id is the call's. With an Idempotency-Key the
 * answer says in a header how much was charged before, refused or not.
 * @returns whose credits they are, and by which name the key's use is counted
 * @throws RequestError UNAUTHORIZED, RATE_LIMITED, NO_CREDITS and those of an Idempotency-Key: nothing was taken
 */
export async function holdCredits(call: Call, bearer: Bearer, order: Order): Promise<Payer> {
  refuseUnknown(bearer);
  const { MAX_IN_FLIGHT } = call.config;
  const markUsed = markedDay(bearer) < Math.floor(call.startedMs / DAY_MS);
  const { answer, tripMs, home } = await holdWhatComesBack(call, bearer, inquiryFor(call, bearer, order, markUsed));
  if (order.idempotency !== null && 'charged' in answer)
    call.headers.set('idempotency-charged', String(answer.charged.size));
  switch (answer.kind) {
    case 'held': {
      if (markUsed) noteMarked(bearer, answer.day);
      const { accountId, accountClass, keyId } = answer;
      return { home, accountId, accountClass, keyId, tripMs, charged: 'charged' in answer ? answer.charged : NONE };
    }
    case 'unknown_key':
      throw unauthorized();
    case 'too_many_in_flight':
      throw tooManyInFlight(MAX_IN_FLIGHT, answer.inFlight, order.addresses);
    case 'too_few_credits':
      throw new RequestError(
        'NO_CREDITS',
        `This request needs ${answer.needed} ${answer.needed === 1 ? 'credit' : 'credits'}; ` +
          `${answer.remaining} ${answer.remaining === 1 ? 'remains' : 'remain'}.`,
        { 'rcpt-remaining': String(answer.remaining) },
      );
    case 'in_progress':
    case 'another_body':
    case 'too_many_attempts':
      throw refuseAttempt(answer);
  }
}

type Answer = HoldAnswer | AttemptAnswer;
/** A question for D1. `credits`: what is needed; null: D1 knows, and this isolate does not. */
type Inquiry = {
  readonly addresses: number;
  readonly credits: number | null;
  readonly ask: (db: D1Database) => Promise<Answer>;
};

function inquiryFor(call: Call, bearer: Bearer, order: Order, markUsed: boolean): Inquiry {
  const { BATCH_DEADLINE_S, HOLD_GRACE_S, MAX_IN_FLIGHT } = call.config;
  const { billable, elements, addresses, idempotency } = order;
  const request = {
    batchId: call.id,
    keyHash: bearer.keyHash,
    markUsed,
    addresses,
    maxInFlight: MAX_IN_FLIGHT,
    lastsMs: (BATCH_DEADLINE_S + HOLD_GRACE_S) * 1000,
  };
  if (idempotency !== null)
    return { addresses, credits: null, ask: (db) => holdAttempt(db, { ...request, idempotency, billable, elements }) };
  const credits = billable.length;
  return { addresses, credits, ask: (db) => hold(db, { ...request, credits }) };
}

/** `accountId` of what lacks credits; `tripMs`: what the trip to D1 took that held them; `home`: who answered. */
type TimedAnswer = { readonly answer: Answer | Short; readonly tripMs: number; readonly home: Home };
type Short = Funds & { readonly kind: 'too_few_credits'; readonly accountId: string; readonly needed: number };

/**
 * Holds, and if credits lack that may be on their way back, again, once they are there. What the account has is read
 * meanwhile, once for all of its calls that wait. If all that is open would not be enough there is nothing to wait for,
 * and for a moment nothing to ask for either.
 */
async function holdWhatComesBack(call: Call, bearer: Bearer, inquiry: Inquiry): Promise<TimedAnswer> {
  let timed = await firstAnswer(call, bearer, inquiry);
  if (timed.answer.kind === 'in_progress') {
    // Who repeats a request the moment it is answered finds it open: it is settled a moment later.
    const isHere = await settlementsOf(unsettled(timed.home.db), timed.answer.accountId);
    if (!isHere) await pause(FREED_WITHIN_MS);
    timed = await timedHold(call, bearer, inquiry);
  }
  for (const pauseMs of PAUSES_MS) {
    const { answer, home } = timed;
    if (answer.kind !== 'too_few_credits' || answer.attainable < answer.needed) break;
    await Promise.all([pause(pauseMs), settlementsOf(unsettled(home.db), answer.accountId)]);
    timed = await holdIfThere(call, bearer, inquiry, { home, ...answer });
  }
  return timed;
}

/** Of an account that lacked credits a moment ago D1 is asked no more than it has to be. */
async function firstAnswer(call: Call, bearer: Bearer, inquiry: Inquiry): Promise<TimedAnswer> {
  const { addresses, credits: needed } = inquiry;
  const accountId = ownerOf(bearer);
  const home = homeOf(call, bearer);
  const funds = accountId === null ? null : knownShortage(home.db, accountId, addresses, Date.now());
  if (accountId === null || funds === null || needed === null || funds.remaining >= needed)
    return timedHold(call, bearer, inquiry);
  if (funds.isFresh && funds.attainable < needed) return short(home, accountId, funds, needed);
  return holdIfThere(call, bearer, inquiry, { home, accountId, needed });
}

async function holdIfThere(
  call: Call,
  bearer: Bearer,
  inquiry: Inquiry,
  { home, accountId, needed }: Pick<Short, 'accountId' | 'needed'> & { readonly home: Home },
): Promise<TimedAnswer> {
  const askedMs = Date.now();
  const { accountClass, ...funds } = await fundsSince(home.db, accountId, askedMs, call.waitUntil);
  learnOwner(call, bearer, { accountId, accountClass });
  if (funds.remaining >= needed) return timedHold(call, bearer, inquiry);
  noteShortage(home.db, accountId, { ...funds, addresses: inquiry.addresses, askedMs });
  return short(home, accountId, funds, needed);
}

function short(home: Home, accountId: string, { remaining, attainable }: Funds, needed: number): TimedAnswer {
  return { answer: { kind: 'too_few_credits', accountId, remaining, attainable, needed }, tripMs: 0, home };
}

async function timedHold(call: Call, bearer: Bearer, { addresses, ask }: Inquiry): Promise<TimedAnswer> {
  const sentMs = Date.now();
  const home = homeOf(call, bearer);
  const answer = await askHome(call, bearer, ({ db }) => ask(db));
  const tripMs = Date.now() - sentMs;
  learnOwner(call, bearer, answer.kind === 'unknown_key' ? null : answer);
  if (answer.kind === 'held') forgetShortage(home.db, answer.accountId);
  if (answer.kind === 'too_few_credits') {
    const { accountId, remaining, attainable } = answer;
    noteShortage(home.db, accountId, { remaining, attainable, addresses, askedMs: sentMs });
  }
  return { answer, tripMs, home };
}
