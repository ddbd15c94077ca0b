import { RequestError } from '../../schema/errors.ts';
import type { AccountClass } from '../../schema/shares.ts';
import { learnOwner, refuseUnknown, unauthorized } from '../access/authenticate.ts';
import { type Bearer, markedDay, noteMarked, ownerOf } from '../access/known-keys.ts';
import type { Call } from '../base/call.ts';
import { forgetShortage, fundsSince, knownShortage, noteShortage } from '../ledger/funds.ts';
import { type Funds, hold, type HoldAnswer, type HoldRequest } from '../ledger/hold.ts';
import { tooManyInFlight } from './in-flight.ts';
import { settlementsOf, unsettled } from './settle.ts';

const DAY_MS = 86_400_000;
/**
 * What an answer returned is there 50 to 300 ms and a trip to D1 later (last-hop.ts), and only the isolate that gave the answer knows that it is on its
 * way. So nobody is told that credits lack before the account's open batches had half a second to come back.
 */
const PAUSES_MS = [100, 150, 250] as const;

/** `keyId`: null if nothing is counted. `tripMs`: what the trip to D1 took that held the credits, 0 if none did. */
export type Payer = {
  readonly accountId: string;
  readonly accountClass: AccountClass;
  readonly keyId: string | null;
  readonly tripMs: number;
};

/**
 * Takes the credits of a batch; its id is the call's.
 * @param addresses how many it probes
 * @returns whose credits they are, and by which name the key's use is counted
 * @throws RequestError UNAUTHORIZED, RATE_LIMITED, NO_CREDITS: nothing was taken
 */
export async function holdCredits(call: Call, bearer: Bearer, credits: number, addresses: number): Promise<Payer> {
  refuseUnknown(bearer);
  const { BATCH_DEADLINE_S, HOLD_GRACE_S, MAX_IN_FLIGHT } = call.config;
  const markUsed = markedDay(bearer) < Math.floor(call.startedMs / DAY_MS);
  const { answer, tripMs } = await holdWhatComesBack(call, bearer, {
    batchId: call.id,
    keyHash: bearer.keyHash,
    markUsed,
    credits,
    addresses,
    maxInFlight: MAX_IN_FLIGHT,
    lastsMs: (BATCH_DEADLINE_S + HOLD_GRACE_S) * 1000,
  });
  switch (answer.kind) {
    case 'held':
      if (markUsed) noteMarked(bearer, answer.day);
      return { accountId: answer.accountId, accountClass: answer.accountClass, keyId: answer.keyId, tripMs };
    case 'unknown_key':
      throw unauthorized();
    case 'too_many_in_flight':
      throw tooManyInFlight(MAX_IN_FLIGHT, answer.inFlight, addresses);
    case 'too_few_credits':
      throw new RequestError(
        'NO_CREDITS',
        `This request needs ${credits} ${credits === 1 ? 'credit' : 'credits'}; ` +
          `${answer.remaining} ${answer.remaining === 1 ? 'remains' : 'remain'}.`,
        { 'rcpt-remaining': String(answer.remaining) },
      );
  }
}

/** `accountId` of what lacks credits; `tripMs`: what the trip to D1 took that held them. */
type TimedAnswer = { readonly answer: HoldAnswer | Short; readonly tripMs: number };
type Short = Funds & { readonly kind: 'too_few_credits'; readonly accountId: string };

/**
 * Holds, and if credits lack that may be on their way back, again, once they are there. What the account has is read
 * meanwhile, once for all of its calls that wait. If all that is open would not be enough there is nothing to wait for,
 * and for a moment nothing to ask for either.
 */
async function holdWhatComesBack(call: Call, bearer: Bearer, request: HoldRequest): Promise<TimedAnswer> {
  const { DB } = call.env;
  let timed = await firstAnswer(call, bearer, request);
  for (const pauseMs of PAUSES_MS) {
    const { answer } = timed;
    if (answer.kind !== 'too_few_credits' || answer.attainable < request.credits) break;
    const pause = new Promise((wake) => setTimeout(wake, pauseMs));
    await Promise.all([pause, settlementsOf(unsettled(DB), answer.accountId)]);
    timed = await holdIfThere(call, bearer, request, answer.accountId);
  }
  return timed;
}

/** Of an account that lacked credits a moment ago D1 is asked no more than it has to be. */
async function firstAnswer(call: Call, bearer: Bearer, request: HoldRequest): Promise<TimedAnswer> {
  const account = ownerOf(bearer);
  const funds = account === null ? null : knownShortage(call.env.DB, account.id, request.addresses, Date.now());
  if (account === null || funds === null || funds.remaining >= request.credits) return timedHold(call, bearer, request);
  if (funds.isFresh && funds.attainable < request.credits) return short(account.id, funds);
  return holdIfThere(call, bearer, request, account.id);
}

async function holdIfThere(call: Call, bearer: Bearer, request: HoldRequest, accountId: string): Promise<TimedAnswer> {
  const { DB } = call.env;
  const askedMs = Date.now();
  const funds = await fundsSince(DB, accountId, askedMs, call.waitUntil);
  if (funds.remaining >= request.credits) return timedHold(call, bearer, request);
  noteShortage(DB, accountId, { ...funds, addresses: request.addresses, askedMs });
  return short(accountId, funds);
}

function short(accountId: string, funds: Funds): TimedAnswer {
  return { answer: { kind: 'too_few_credits', accountId, ...funds }, tripMs: 0 };
}

async function timedHold(call: Call, bearer: Bearer, request: HoldRequest): Promise<TimedAnswer> {
  const { DB } = call.env;
  const sentMs = Date.now();
  const answer = await hold(DB, request);
  const tripMs = Date.now() - sentMs;
  learnOwner(call, bearer, answer.kind === 'unknown_key' ? null : answer);
  if (answer.kind === 'held') forgetShortage(DB, answer.accountId);
  if (answer.kind === 'too_few_credits') {
    const { accountId, remaining, attainable } = answer;
    noteShortage(DB, accountId, { remaining, attainable, addresses: request.addresses, askedMs: sentMs });
  }
  return { answer, tripMs };
}
