import { networkOf, prefixOf } from '../access/shield.ts';
import type { Call } from '../base/call.ts';
import { describe, log } from '../base/log.ts';
import { tooMany } from './route.ts';

// How often someone without a key may call. If a counter cannot be reached the call passes, and the operator is told.

/** Counts a call of the pages' API by its network. @throws RequestError RATE_LIMITED */
export async function countCall(call: Call): Promise<void> {
  const address = addressOf(call);
  if (address === null) return;
  await count(call, call.env.PAGES, networkOf(address), 'Too many requests came from your network. Wait a minute.');
}

/**
 * Counts by network what sends mail, or tries links and passkeys: IPv6 by /56, of which a customer has many /64.
 * @throws RequestError RATE_LIMITED
 */
export async function countTry(call: Call): Promise<void> {
  const address = addressOf(call);
  if (address === null) return;
  const refusal = 'Too many sign-in attempts came from your network. Try again in a minute.';
  await count(call, call.env.SIGN_IN, prefixOf(address, 56), refusal);
}

/**
 * The network that a request for mail counts against: the whole autonomous system, because one party easily has many
 * small networks in it.
 */
export function networkThatAsks(call: Call): string {
  const system = call.request.cf?.['asn'];
  return typeof system === 'number' ? `AS${system}` : prefixOf(addressOf(call) ?? '', 48);
}

/** Null if the platform names no caller. */
function addressOf({ request }: Call): string | null {
  return request.headers.get('cf-connecting-ip');
}

async function count(call: Call, counter: RateLimit, network: string, refusal: string): Promise<void> {
  const { success } = await counter.limit({ key: network }).catch((error: unknown) => {
    log('error', 'pages_limit_unreachable', { requestId: call.id, ...describe(error) });
    return { success: true };
  });
  if (!success) throw tooMany(refusal, '60');
}
