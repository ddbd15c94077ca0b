import { RequestError } from '../schema/errors.ts';
import type { Call } from './call.ts';
import { describe, log } from './log.ts';

// A caller without a key has nothing that could be counted but its address. Only answers that are about to be 401 are
// counted, so that callers with a key never pay for their neighbours, and never wait for the count. Beyond the
// binding's limit the answer is 429 without RateLimit headers, which tell of a key's window and of nothing else.

const RETRY_AFTER_S = 60;

/** What a 401 becomes: itself, or 429 where too many of them went to one caller's address. */
export async function shield(call: Call, refusal: RequestError): Promise<RequestError> {
  const caller = call.request.headers.get('cf-connecting-ip');
  if (caller === null) return refusal;
  try {
    const { success } = await call.env.SHIELD.limit({ key: networkOf(caller) });
    if (success) return refusal;
  } catch (error) {
    log('error', 'shield_unreachable', { requestId: call.id, ...describe(error) });
    return refusal;
  }
  for (const name of ['limit', 'remaining', 'reset', 'policy']) call.headers.delete(`ratelimit-${name}`);
  return new RequestError('RATE_LIMITED', 'Too many requests without a valid API key.', {
    'retry-after': String(RETRY_AFTER_S),
  });
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
