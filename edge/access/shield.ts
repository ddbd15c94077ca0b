import { RequestError } from '../../schema/errors.ts';
import type { Call } from '../base/call.ts';
import { describe, log } from '../base/log.ts';
import { Refusals } from '../base/refusals.ts';

// A caller without a key can only be counted by its network. Answers that are about to be 401 are counted, so that
// callers with a key never pay for their neighbours, and separately the calls of an endpoint that takes no key. Nothing
// waits for the count: a 401 goes out at once, and an isolate that has learnt that a network is over the binding's
// limit refuses it from memory for a while. That refusal is 429 without RateLimit headers, which describe a key's
// window and nothing else.

const REFUSED_FOR_MS = 10_000;
/** What was refused that has no endpoint of its own: calls that ended in 401. */
const WITHOUT_KEY = '';

/** Of the networks over the limit, by endpoint. */
const refusals = new Refusals<null>();

/** How much longer it is refused without asking; 0 if it is not. */
function leftMsOf(network: string, door: string): number {
  const nowMs = Date.now();
  return (refusals.find(network, door, nowMs)?.untilMs ?? nowMs) - nowMs;
}

/** One visit in this many is counted, from any network. */
const VISITS_EACH = 10;
let visits = 0;

/** What becomes of a 401: itself, or 429 if too many of them went to one network. */
export function shield(call: Call, refusal: RequestError): RequestError {
  const network = callerOf(call);
  if (network === null) return refusal;
  const leftMs = leftMsOf(network, WITHOUT_KEY);
  if (leftMs > 0) return tooMany(call, leftMs);
  call.waitUntil(count(call, network, WITHOUT_KEY));
  return refusal;
}

/**
 * Refuses a network known to have had too many 401s: for an endpoint where identifying the caller costs I/O.
 * @throws RequestError RATE_LIMITED
 */
export function turnAway(call: Call): void {
  const network = callerOf(call);
  const leftMs = network === null ? 0 : leftMsOf(network, WITHOUT_KEY);
  if (leftMs > 0) throw tooMany(call, leftMs);
}

/**
 * Counts a call of an endpoint that takes no key, apart from 401s and other endpoints: one in ten, because it answers
 * from memory and can be polled many times a second.
 * @throws RequestError RATE_LIMITED: too many came from its network
 */
export function countVisit(call: Call, door: string): void {
  const network = callerOf(call);
  if (network === null) return;
  const leftMs = leftMsOf(network, door);
  if (leftMs > 0) throw tooMany(call, leftMs);
  visits += 1;
  if (visits % VISITS_EACH === 0) call.waitUntil(count(call, network, door));
}

/** The caller's network; null if the platform names no caller. */
function callerOf(call: Call): string | null {
  const address = call.request.headers.get('cf-connecting-ip');
  return address === null ? null : networkOf(address);
}

function tooMany(call: Call, leftMs: number): RequestError {
  for (const name of ['limit', 'remaining', 'reset', 'policy']) call.headers.delete(`ratelimit-${name}`);
  return new RequestError('RATE_LIMITED', 'Too many requests without a valid API key.', {
    'retry-after': String(Math.ceil(leftMs / 1000)),
  });
}

async function count(call: Call, network: string, door: string): Promise<void> {
  try {
    const { success } = await call.env.SHIELD.limit({ key: `${door} ${network}` });
    if (!success) refusals.remember(network, door, null, Date.now() + REFUSED_FOR_MS);
  } catch (error) {
    log('error', 'shield_unreachable', { requestId: call.id, ...describe(error) });
  }
}

/**
 * What counts as one caller: an IPv4 address, or the first 64 bits of an IPv6 address, because the caller chooses the
 * rest.
 * @param address as the platform gives it: well-formed
 */
export function networkOf(address: string): string {
  return prefixOf(address, 64);
}

/** The network of an address: an IPv4 address itself. @param bits of an IPv6 address, at most 64 */
export function prefixOf(address: string, bits: number): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after];
  const first = Array.from({ length: 4 }, (_, i) => {
    const kept = Math.min(16, Math.max(0, bits - 16 * i));
    return (Number.parseInt(groups[i] ?? '0', 16) & (0xff_ff << (16 - kept))).toString(16);
  });
  return `${first.join(':')}::/${bits}`;
}
