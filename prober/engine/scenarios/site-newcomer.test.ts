import { expect, test } from 'vitest';
import { close, type Script, type SessionRecord, wait } from '../../testing/script.ts';
import { GONE, INVALID, siteWorld, tenants, told } from '../../testing/site.ts';

// A server with few places that takes its time for each refusal: whoever comes new has its turn after the next reply.

type Narrow = { readonly places: number; readonly refusalMs: number; readonly says: '421' | 'close' };

/** Turns away whoever comes while its places are taken. */
function narrow({ places, refusalMs, says }: Narrow): Script {
  const inside = new Set<SessionRecord>();
  return {
    greeting: (session) => {
      for (const one of inside) if (one.closed) inside.delete(one);
      if (inside.size >= places)
        return says === 'close' ? [close] : ['421 4.7.0 mx.test Error: too many connections from 192.0.2.1\r\n', close];
      inside.add(session);
      return '220 mx.test ESMTP Postfix\r\n';
    },
    rcpt: () => [wait(refusalMs), GONE],
  };
}

const CASES: readonly Narrow[] = [
  { places: 2, refusalMs: 1_000, says: '421' },
  { places: 2, refusalMs: 1_000, says: 'close' },
  { places: 4, refusalMs: 2_000, says: '421' },
];

/** Accounts, domains of each, and addresses of a domain. More accounts than these take turns of two seconds each. */
const CROWDS = [
  [1, 1, 200],
  [1, 100, 1],
  [1, 20, 10],
  [2, 1, 200],
  [4, 60, 1],
] as const;

test.each(CASES.flatMap((one) => CROWDS.map((crowd) => ({ ...one, crowd }))))(
  'at $places places and $refusalMs ms a refusal ($says) a newcomer beside $crowd is served in a few refusals',
  async ({ crowd: [accounts, domains, each], ...one }) => {
    const world = siteWorld();
    const { addresses } = tenants(world, accounts * domains, narrow(one));
    world.mx('new.test', ['mx.d0.test']);
    const crowd = Array.from({ length: accounts }, (_, a) => {
      const own = addresses.slice(a * domains, (a + 1) * domains);
      const all = own.flatMap((address) => Array.from({ length: each }, (_one, n) => address.replace('@', `n${n}@`)));
      return world.probe(all, 90_000, 1 + a);
    });
    const took: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      await world.clock.advance(4_300);
      const began = world.clock.now();
      const [evidence] = await world.probe([`x${n}@new.test`], 60_000, 100);
      expect(evidence === undefined ? '' : told(evidence)).toBe(INVALID);
      took.push(world.clock.now() - began);
    }
    // The replies that two sessions still wait for, its own, and what it takes to begin.
    const p50 = took.toSorted((x, y) => x - y)[3];
    expect(p50).toBeLessThanOrEqual(3 * one.refusalMs + 500);
    await Promise.all(crowd);
  },
);
