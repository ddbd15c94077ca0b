import { RequestError } from '../../schema/errors.ts';
import type { AccountClass } from '../../schema/shares.ts';
import { unauthorized } from '../access/authenticate.ts';
import { type Bearer, markedDay, noteMarked, noteOwner } from '../access/known-keys.ts';
import type { Call } from '../base/call.ts';
import { hold, type HoldAnswer, type HoldRequest } from '../ledger/hold.ts';
import { settlementsOf, unsettled } from './settle.ts';

const DAY_MS = 86_400_000;
/**
 * What an answer returned is there 50 to 300 ms and a trip to D1 later (last-hop.ts), and only the isolate that gave the answer knows that it is on its
 * way. So nobody is told that credits lack before the account's open batches had half a second to come back.
 */
const PAUSES_MS = [100, 150, 250] as const;

/** Batches end every few seconds; a caller who comes back so much later costs little and loses little. */
const IN_FLIGHT_RETRY_S = 5;

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
  const { BATCH_DEADLINE_S, HOLD_GRACE_S, MAX_IN_FLIGHT } = call.config;
  const markUsed = markedDay(bearer) < Math.floor(call.startedMs / DAY_MS);
  const { answer, tripMs } = await holdWhatComesBack(call.env.DB, {
    batchId: call.id,
    keyHash: bearer.keyHash,
    markUsed,
    credits,
    addresses,
    maxInFlight: MAX_IN_FLIGHT,
    lastsMs: (BATCH_DEADLINE_S + HOLD_GRACE_S) * 1000,
  });
  if (answer.kind !== 'unknown_key')
    noteOwner(bearer, { account: answer.accountId, class: answer.accountClass }, Date.now());
  switch (answer.kind) {
    case 'held':
      if (markUsed) noteMarked(bearer, answer.day);
      return { accountId: answer.accountId, accountClass: answer.accountClass, keyId: answer.keyId, tripMs };
    case 'unknown_key':
      throw unauthorized();
    case 'too_many_in_flight':
      throw new RequestError(
        'RATE_LIMITED',
        `An account can have ${MAX_IN_FLIGHT} addresses in progress at the same time: ` +
          `${answer.inFlight} are, and this request has ${addresses}.`,
        { 'retry-after': String(IN_FLIGHT_RETRY_S) },
      );
    case 'too_few_credits':
      throw new RequestError(
        'NO_CREDITS',
        `This request needs ${credits} ${credits === 1 ? 'credit' : 'credits'}; ` +
          `${answer.remaining} ${answer.remaining === 1 ? 'remains' : 'remain'}.`,
        { 'rcpt-remaining': String(answer.remaining) },
      );
  }
}

/**
 * Holds, and if credits lack that may be on their way back, again: at most three times, so that a call costs D1 eight
 * trips at worst. If all that is open would not be enough there is nothing to wait for.
 */
async function holdWhatComesBack(db: D1Database, request: HoldRequest): Promise<TimedAnswer> {
  let timed = await timedHold(db, request);
  for (const pauseMs of PAUSES_MS) {
    const { answer } = timed;
    if (answer.kind !== 'too_few_credits' || answer.attainable < request.credits) break;
    const pause = new Promise((wake) => setTimeout(wake, pauseMs));
    await Promise.all([pause, settlementsOf(unsettled(db), answer.accountId)]);
    timed = await timedHold(db, request);
  }
  return timed;
}

type TimedAnswer = { readonly answer: HoldAnswer; readonly tripMs: number };

async function timedHold(db: D1Database, request: HoldRequest): Promise<TimedAnswer> {
  const sentMs = Date.now();
  const answer = await hold(db, request);
  return { answer, tripMs: Date.now() - sentMs };
}
