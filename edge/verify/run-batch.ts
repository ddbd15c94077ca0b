import { FAILURES, RequestError } from '../../schema/errors.ts';
import { prove } from '../access/authenticate.ts';
import { homeOf } from '../access/key-home.ts';
import type { Call } from '../base/call.ts';
import { causeOf } from '../base/fault-cause.ts';
import type { AddressIndex } from '../base/indexes.ts';
import { describe, log } from '../base/log.ts';
import { shardOfBatch } from '../base/objects.ts';
import { within } from '../base/within.ts';
import { sandboxEvidence } from '../sandbox/sandbox.ts';
import { type Asked, billableOf, deadlineMsOf, type Ended, type Held, isHurried } from './batch.ts';
import { type FleetFigures, fleetOf, gather } from './dispatch.ts';
import { endFailed } from './end.ts';
import type { Address } from './entries.ts';
import { holdCredits } from './hold.ts';
import type { AddressEvidence } from './judge.ts';
import { optedOutAmong, withOptedOut } from './opted-out.ts';
import type { Progress } from './outcome.ts';
import { deliverLines } from './respond-lines.ts';
import { type Deliver, verificationFailed } from './respond.ts';
import { type Asker, checkRoom, rememberNoRoom } from './room.ts';
import { settleNow } from './settle.ts';

const NOBODY: ReadonlySet<AddressIndex> = new Set();

/** A caller whose hold broke off waits this long for its credits to be returned, and is then answered anyway. */
const GIVEN_BACK_WITHIN_MS = 400;

/**
 * Holds, probes and answers; the settlement follows from how it ended. From here on money moves.
 * @returns null if the caller left before anything was held
 */
export async function runBatch(asked: Asked, deliver: Deliver, { answer, reached }: Progress): Promise<Ended | null> {
  const { call, bearer, entries, waitS } = asked;
  reached(asked);
  if (call.request.signal.aborted) return null;
  const isTest = bearer.kind === 'test';
  if (!isTest) checkRoom(askerOf(asked), entries.addresses.length, Date.now());
  // In parallel with the hold, so that nothing waits for it.
  const looked = isTest ? Promise.resolve(NOBODY) : optedOutAmong(call, entries.addresses);
  looked.catch(() => {});
  const batch = await holdOrProve(asked);
  reached(batch);
  const fleet: FleetFigures = { hosts: new Set(), jobs: 0, ms: 0 };
  try {
    const news = isTest
      ? fromSandbox(entries.addresses)
      : fromFleet(batch, await looked, fleet, deliver === deliverLines);
    const delivered = await deliver(batch, news, (response) => answer(saysWait(response, waitS)));
    return { ...batch, delivered, fleet };
  } catch (error) {
    const failure = toFailure(call, error);
    await endFailed(batch, FAILURES[failure.failure].status);
    throw failure;
  }
}

async function holdOrProve(asked: Asked): Promise<Held> {
  const { call, bearer, idempotency } = asked;
  if (billableOf(asked).length === 0 && idempotency === null) {
    const { home, accountId, accountClass } = await prove(call, bearer);
    return { ...asked, home, accountId, accountClass, keyId: null, holdMs: 0, paid: new Set(), due: new Set() };
  }
  try {
    return await holdCredits(asked);
  } catch (error) {
    if (error instanceof RequestError) throw error;
    const given = giveBack(asked);
    call.waitUntil(given);
    await within(GIVEN_BACK_WITHIN_MS, given).catch(() => {});
    throw toFailure(call, error);
  }
}

/**
 * D1 broke off, perhaps after committing: returns the hold and frees the Idempotency-Key. What is not returned now, the
 * sweep returns.
 */
function giveBack({ call, bearer, idempotency }: Asked): Promise<void> {
  const account = { apiKeyHash: bearer.keyHash };
  const answered = { status: FAILURES.INTERNAL_ERROR.status, ms: Date.now() - call.startedMs };
  const attempt =
    idempotency === null ? {} : { attempt: { account, keyHash: idempotency.keyHash, charged: null, isVoid: true } };
  return settleNow(homeOf(call, bearer), { batchId: call.id, back: 'all', answered, ...attempt });
}

function askerOf({ call, bearer }: Asked): Asker {
  return { shard: shardOfBatch(call.config, call.id), account: bearer.owner };
}

/** The evidence of opted-out addresses, and that of the others as it arrives. */
function fromFleet(
  batch: Held,
  optedOut: ReadonlySet<AddressIndex>,
  figures: FleetFigures,
  isEager: boolean,
): AsyncIterable<readonly AddressEvidence[]> {
  const { call, accountId: account, accountClass } = batch;
  const { addresses } = batch.entries;
  const { ask, ...others } = fleetOf(call);
  const probed = gather(ask, {
    batchId: call.id,
    account,
    accountClass,
    addresses: addresses.filter(({ index }) => !optedOut.has(index)),
    deadlineMs: deadlineMsOf(batch),
    isHurried: isHurried(batch),
    isEager,
    gone: call.request.signal,
    onNoRoom: (lack) => rememberNoRoom(askerOf(batch), lack, addresses.length, Date.now()),
    figures,
    ...others,
  });
  return optedOut.size === 0 ? probed : withOptedOut(optedOut, probed);
}

/** The answer for a test key: evidence of the sandbox, all at once. */
async function* fromSandbox(addresses: readonly Address[]): AsyncGenerator<readonly AddressEvidence[]> {
  if (addresses.length > 0)
    yield addresses.map(({ index, local, domain }) => ({ address: index, evidence: sandboxEvidence(local, domain) }));
}

/** RFC 7240 §3. */
function saysWait(response: Response, waitS: number | null): Response {
  if (waitS !== null) response.headers.set('preference-applied', `wait=${waitS}`);
  return response;
}

function toFailure(call: Call, error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  log('error', 'verification_failed', { requestId: call.id, cause: causeOf(error), ...describe(error) });
  return verificationFailed(error);
}
