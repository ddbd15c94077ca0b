import { RequestError } from '../../schema/errors.ts';
import { networkOf, networksOf, prefixOf } from '../access/shield.ts';
import type { Call } from '../base/call.ts';
import { describe, log } from '../base/log.ts';

// How often somebody without a key may call. A counter that cannot be reached lets the call pass, and the operator is
// told.

/**
 * Counts a call of the pages' API by its network.
 * @throws RequestError RATE_LIMITED
 */
export async function countCall(call: Call): Promise<void> {
  const address = addressOf(call);
  if (address === null) return;
  await count(call, call.env.PAGES, networkOf(address), 'Too many requests came from your network. Wait a minute.');
}

/**
 * Counts by its networks what sends mail, or tries links and passkeys: the narrowest first, so that what is refused
 * there takes nothing from its neighbours.
 * @throws RequestError RATE_LIMITED
 */
export async function countTry(call: Call): Promise<void> {
  const address = addressOf(call);
  if (address === null) return;
  const { SIGN_IN, SIGN_IN_56, SIGN_IN_48 } = call.env;
  const counters = [SIGN_IN, SIGN_IN_56, SIGN_IN_48];
  for (const [at, network] of networksOf(address).entries()) {
    const counter = counters[at];
    const refusal = 'Too many sign-in attempts came from your network. Try again in a minute.';
    if (counter !== undefined) await count(call, counter, network, refusal);
  }
}

/**
 * Who asks for mail, for its limits, the widest network first: the autonomous system, what a provider is given (/32, /24 of
 * IPv4), and what a customer is (/48, an IPv4 address).
 */
export function networksThatAsk(call: Call): readonly string[] {
  const address = addressOf(call);
  if (address === null) return [''];
  const system = call.request.cf?.['asn'];
  const wide = address.includes(':') ? prefixOf(address, 32) : address.split('.').slice(0, 3).join('.');
  return [...(typeof system === 'number' ? [`AS${system}`] : []), wide, networksOf(address).at(-1) ?? ''];
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
  if (!success) throw new RequestError('RATE_LIMITED', refusal, { 'retry-after': '60' });
}
