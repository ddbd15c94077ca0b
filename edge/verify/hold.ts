import { RequestError } from '../../schema/errors.ts';
import { unauthorized } from '../access/authenticate.ts';
import { type Bearer, markedDay, noteMarked } from '../access/known-keys.ts';
import type { Call } from '../call.ts';
import { hold } from '../ledger/hold.ts';

const DAY_MS = 86_400_000;

/**
 * Takes the credits of a batch; its id is the call's.
 * @returns the account's id
 * @throws RequestError UNAUTHORIZED, NO_CREDITS: nothing was taken
 */
export async function holdCredits(call: Call, bearer: Bearer, credits: number): Promise<string> {
  const { BATCH_DEADLINE_S, HOLD_GRACE_S } = call.config;
  const lastsMs = (BATCH_DEADLINE_S + HOLD_GRACE_S) * 1000;
  const markUsed = markedDay(bearer) < Math.floor(call.startedMs / DAY_MS);
  const answer = await hold(call.env.DB, { batchId: call.id, keyHash: bearer.keyHash, markUsed, credits, lastsMs });
  switch (answer.kind) {
    case 'held':
      if (markUsed) noteMarked(bearer, answer.day);
      return answer.accountId;
    case 'unknown_key':
      throw unauthorized();
    case 'too_few_credits':
      throw new RequestError(
        'NO_CREDITS',
        `This request needs ${credits} ${credits === 1 ? 'credit' : 'credits'}; ` +
          `${answer.remaining} ${answer.remaining === 1 ? 'remains' : 'remain'}.`,
      );
  }
}
