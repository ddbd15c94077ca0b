import { RequestError } from '../../schema/errors.ts';
import { authenticate, prove } from '../access/authenticate.ts';
import { readBody } from '../access/body.ts';
import { homeOf } from '../access/key-home.ts';
import type { Bearer } from '../access/known-keys.ts';
import { limit } from '../access/limit.ts';
import type { Call } from '../base/call.ts';
import type { Lack } from '../base/fleet-protocol.ts';
import { causeOf } from '../base/fault-cause.ts';
import type { AddressIndex } from '../base/indexes.ts';
import { describe, log } from '../base/log.ts';
import { shardOfBatch } from '../base/objects.ts';
import { within } from '../base/within.ts';
import { type FleetFigures, fleetOf, gather } from './dispatch.ts';
import { sandboxEvidence } from '../sandbox/sandbox.ts';
import { type Begun, endDelivered, endFailed } from './end.ts';
import type { Address, Entries } from './entries.ts';
import { holdCredits, type Order, type Payer } from './hold.ts';
import { type Asked, identify } from './idempotency.ts';
import type { AddressEvidence } from './judge.ts';
import { optedOutAmong, withOptedOut } from './opted-out.ts';
import { readWaitS } from './prefer.ts';
import { billable } from './price.ts';
import { type Asker, checkRoom, rememberNoRoom } from './room.ts';
import { deliverLines } from './respond-lines.ts';
import { deliverWhole, NOTHING_DELIVERED, verificationFailed, type Deliver, type Delivery } from './respond.ts';
import { settleNow } from './settle.ts';
import { validate } from './validate.ts';
import { wantsLines } from './wants-lines.ts';

/** How the forms of the request differ: where the entries come from, and how the answer looks. */
export type Form = { readonly read: (call: Call) => Promise<Asked>; readonly deliver: Deliver };

const NOBODY: ReadonlySet<AddressIndex> = new Set();

/** A caller whose hold broke off waits this long for its credits to be returned, and is then answered anyway. */
const GIVEN_BACK_WITHIN_MS = 400;

const wholeArray = deliverWhole((elements) => elements);

/** POST /api/v1/verify: one element per entry, in their order. */
export function verify(call: Call): Promise<Response> {
  const deliver = wantsLines(call.request.headers.get('accept')) ? deliverLines : wholeArray;
  return verifyAs({ read: readAsked, deliver }, call);
}

/** A JSON body with its Idempotency-Key. */
async function readAsked(call: Call): Promise<Asked> {
  const { bytes, entries } = await readEntries(call);
  return { entries, idempotency: await identify(call.request.headers.get('idempotency-key'), bytes, call.config) };
}

/** The entries of a JSON body. */
export async function readEntries({ config, request }: Call): Promise<{ bytes: Uint8Array; entries: Entries }> {
  const { MAX_BODY_BYTES, MAX_ADDRESSES } = config;
  const bytes = await readBody(request, MAX_BODY_BYTES, 'split the batch');
  return { bytes, entries: validate(bytes, request.headers.get('content-encoding'), MAX_ADDRESSES) };
}

/**
 * One verification, from the key to the settlement. Nothing runs after a failed check.
 * @throws RequestError for every answer but 200
 */
export async function verifyAs(form: Form, call: Call): Promise<Response> {
  const bearer = await authenticate(call);
  await limit(call, bearer);
  const asked = await readOrProve(form, call, bearer);
  const waitS = readWaitS(call.request.headers.get('prefer'), call.config.BATCH_DEADLINE_S);
  return saysWait(await startBatch({ deliver: form.deliver, call, bearer, asked, waitS }).answer, waitS);
}

/**
 * Holds, probes, answers and settles.
 * @returns its answer, or a RequestError; and, once D1 has recorded it, how many credits it cost
 */
export function startBatch(run: Run): { readonly answer: Promise<Response>; readonly ended: Promise<number> } {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Response>();
  // From here on money moves. When the caller disconnects the runtime drops the handler without notice, `finally`
  // included: only what was handed to waitUntil goes on.
  const running = runBatch(run, resolve);
  const ended = running.then(
    (charged) => {
      if (run.call.request.signal.aborted) reject(new RequestError('INTERNAL_ERROR', 'The caller has disconnected.'));
      return charged;
    },
    (error: unknown) => {
      reject(error);
      return 0;
    },
  );
  run.call.waitUntil(ended);
  return { answer, ended };
}

/** A deleted key gets 401 even if something else is wrong with its request. */
async function readOrProve(form: Form, call: Call, bearer: Bearer): Promise<Asked> {
  try {
    return await form.read(call);
  } catch (error) {
    await prove(call, bearer);
    throw error;
  }
}

/** `waitS`: how long the caller is willing to wait; null if it does not say. */
type Run = {
  readonly deliver: Deliver;
  readonly call: Call;
  readonly bearer: Bearer;
  readonly asked: Asked;
  readonly waitS: number | null;
};

/** @returns how many credits it cost */
async function runBatch(
  { deliver, call, bearer, asked, waitS }: Run,
  answer: (response: Response) => void,
): Promise<number> {
  const { entries } = asked;
  const order = orderOf(call, bearer, asked);
  if (bearer.kind !== 'test') checkRoom(askerOf(call, bearer), entries.addresses.length, Date.now());
  // In parallel with the hold, so that nothing waits for it.
  const looked = bearer.kind === 'test' ? Promise.resolve(NOBODY) : optedOutAmong(call, entries.addresses);
  looked.catch(() => {});
  const payer = await holdOrProve(call, bearer, order);
  const due = new Set(order.billable.filter((place) => !payer.charged.has(place)));
  const begun = { asked, payer, due };
  const figures: FleetFigures = { hosts: new Set(), jobs: 0, ms: 0 };
  let delivered = NOTHING_DELIVERED;
  try {
    const optedOut = await looked;
    const delivery = deliveryOf(call, bearer, begun, { optedOut, waitS, figures, isEager: deliver === deliverLines });
    delivered = await deliver(delivery, answer);
  } catch (error) {
    await endFailed(call, begun);
    throw toFailure(call, error);
  }
  await endDelivered(call, bearer, begun, delivered, figures);
  return delivered.charged.length;
}

/** A test key costs nothing, but the rules for repeated requests apply to it too. */
function orderOf({ config }: Call, bearer: Bearer, { entries, idempotency }: Asked): Order {
  const isTest = bearer.kind === 'test';
  return {
    billable: isTest ? [] : billable(entries, config.CHARGE),
    elements: entries.slots.length,
    addresses: isTest ? 0 : entries.addresses.length,
    idempotency,
  };
}

async function holdOrProve(call: Call, bearer: Bearer, order: Order): Promise<Payer> {
  if (order.billable.length === 0 && order.idempotency === null) {
    const { home, accountId, accountClass } = await prove(call, bearer);
    return { home, accountId, accountClass, keyId: null, tripMs: 0, charged: new Set() };
  }
  try {
    return await holdCredits(call, bearer, order);
  } catch (error) {
    if (error instanceof RequestError) throw error;
    // D1 broke off, perhaps after committing. Returning the hold frees an Idempotency-Key too.
    await within(GIVEN_BACK_WITHIN_MS, giveBackSomewhere(call, bearer)).catch(() => {});
    throw toFailure(call, error);
  }
}

/** The hold may have been made where it was tried; what is not returned now, the sweep returns. */
function giveBackSomewhere(call: Call, bearer: Bearer): Promise<void> {
  const given = settleNow(homeOf(call, bearer), { batchId: call.id, back: 'all' });
  call.waitUntil(given);
  return given;
}

function askerOf({ config, id }: Call, bearer: Bearer): Asker {
  return { shard: shardOfBatch(config, id), account: bearer.owner };
}

type How = {
  readonly optedOut: ReadonlySet<AddressIndex>;
  readonly waitS: Run['waitS'];
  readonly figures: FleetFigures;
  readonly isEager: boolean;
};

function deliveryOf(
  call: Call,
  bearer: Bearer,
  { asked, payer, due }: Begun,
  { optedOut, waitS, figures, isEager }: How,
): Delivery {
  const { entries } = asked;
  const { BATCH_DEADLINE_S, HOLD_GRACE_S } = call.config;
  const deadlineMs = call.startedMs + (waitS ?? BATCH_DEADLINE_S) * 1000;
  const hurriedMs = waitS === null || waitS === BATCH_DEADLINE_S ? null : deadlineMs;
  const gone = call.request.signal;
  const { addresses } = entries;
  // Half the grace is for a caller that reads slowly, half for the settlement, before a sweep returns everything.
  const writtenByMs = call.startedMs + BATCH_DEADLINE_S * 1000 + HOLD_GRACE_S * 500;
  if (bearer.kind === 'test') return { entries, due, news: fromSandbox(addresses), gone, hurriedMs, writtenByMs };
  const onNoRoom = (lack: Lack): void => rememberNoRoom(askerOf(call, bearer), lack, addresses.length, Date.now());
  const { accountId: account, accountClass } = payer;
  const isHurried = hurriedMs !== null;
  const { ask, ...others } = fleetOf(call);
  const asking = {
    batchId: call.id,
    account,
    accountClass,
    deadlineMs,
    isHurried,
    isEager,
    gone,
    onNoRoom,
    figures,
    ...others,
  };
  const probed = gather(ask, { ...asking, addresses: addresses.filter(({ index }) => !optedOut.has(index)) });
  const news = optedOut.size === 0 ? probed : withOptedOut(optedOut, probed);
  return { entries, due, news, gone, hurriedMs, writtenByMs };
}

/** RFC 7240 §3. */
function saysWait(response: Response, waitS: number | null): Response {
  if (waitS !== null) response.headers.set('preference-applied', `wait=${waitS}`);
  return response;
}

/** The answer for a test key: evidence of the sandbox, all at once. */
async function* fromSandbox(addresses: readonly Address[]): AsyncGenerator<readonly AddressEvidence[]> {
  if (addresses.length > 0)
    yield addresses.map(({ index, local, domain }) => ({ address: index, evidence: sandboxEvidence(local, domain) }));
}

function toFailure(call: Call, error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  log('error', 'verification_failed', { requestId: call.id, cause: causeOf(error), ...describe(error) });
  return verificationFailed(error);
}
