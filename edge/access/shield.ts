import { RequestError } from '../../schema/errors.ts';
import type { Call } from '../call.ts';
import { describe, log } from '../log.ts';

// A caller without a key has nothing that could be counted but its address. Only answers that are about to be 401 are
// counted, so that callers with a key never pay for their neighbours. Nobody waits for the count: a 401 goes out at
// once, and an isolate that has learnt that a caller is beyond the binding's limit refuses it from memory for a while.
// That refusal is 429 without RateLimit headers, which tell of a key's window and of nothing else.

const REFUSED_FOR_MS = 10_000;
/** A caller of many addresses must not fill the isolate's memory. */
const REFUSED_MAX = 10_000;

/** Networks beyond the limit, and until when they are refused without asking. */
const refusedUntil = new Map<string, number>();

/** What a 401 becomes: itself, or 429 where too many of them went to one caller's address. */
export function shield(call: Call, refusal: RequestError): RequestError {
  const caller = call.request.headers.get('cf-connecting-ip');
  if (caller === null) return refusal;
  const network = networkOf(caller);
  const leftMs = (refusedUntil.get(network) ?? 0) - Date.now();
  if (leftMs <= 0) {
    call.waitUntil(countRefusal(call, network));
    return refusal;
  }
  for (const name of ['limit', 'remaining', 'reset', 'policy']) call.headers.delete(`ratelimit-${name}`);
  return new RequestError('RATE_LIMITED', 'Too many requests without a valid API key.', {
    'retry-after': String(Math.ceil(leftMs / 1000)),
  });
}

async function countRefusal(call: Call, network: string): Promise<void> {
  try {
    const { success } = await call.env.SHIELD.limit({ key: network });
    if (refusedUntil.size >= REFUSED_MAX) refusedUntil.clear();
    if (success) refusedUntil.delete(network);
    else refusedUntil.set(network, Date.now() + REFUSED_FOR_MS);
  } catch (error) {
    log('error', 'shield_unreachable', { requestId: call.id, ...describe(error) });
  }
}

/**
 * What is counted as one caller: an IPv4 address, and of an IPv6 address its first 64 bits, because the rest is the
 * caller's to choose.
 * @param address as the platform gives it: well-formed
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after];
  const first = Array.from({ length: 4 }, (_, i) => Number.parseInt(groups[i] ?? '0', 16).toString(16));
  return `${first.join(':')}::/64`;
}
