import type { Env } from '../../base/env.ts';
import { aroundBatch } from './around-batch.ts';

export type Calls = { d1: number; objects: number };
/** The next faults. */
export type Faults = {
  /** This many batches of D1 succeed, then these many fail before, or after, being carried out. */
  d1Skip: number;
  d1Before: number;
  d1After: number;
  /** This many settlements are lost, in the midst of other calls. */
  settlements: number;
  limiter: 'there' | 'away' | 'overloaded';
};
export const NO_FAULTS: Faults = { d1Skip: 0, d1Before: 0, d1After: 0, settlements: 0, limiter: 'there' };

/** The bindings, counted and made to fail on demand. The Worker does not notice. */
export function watch(env: Env): {
  readonly env: Env;
  readonly faults: Faults;
  /** What was written to the dataset. */
  readonly points: unknown[];
  takeCalls(): Calls;
} {
  const calls: Calls = { d1: 0, objects: 0 };
  const points: unknown[] = [];
  const faults = { ...NO_FAULTS };
  return {
    env: {
      ...env,
      DB: watchD1(env.DB, calls, faults),
      LIMITER: watchObjects(env.LIMITER, () => faults.limiter),
      ANALYTICS: { writeDataPoint: (point) => void points.push(point) },
      FLEET: watchObjects(env.FLEET, () => 'there'),
      SIGN_IN: counter(30),
      PAGES: counter(600),
    },
    faults,
    points,
    takeCalls() {
      const taken = { ...calls };
      calls.d1 = 0;
      calls.objects = 0;
      return taken;
    },
  };

  function watchObjects<T extends Rpc.DurableObjectBranded | undefined>(
    namespace: DurableObjectNamespace<T>,
    how: () => Faults['limiter'],
  ): DurableObjectNamespace<T> {
    return new Proxy(namespace, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          calls.objects += 1;
          if (how() === 'away') throw new Error('The limiter is away');
          // As the platform throws it: https://developers.cloudflare.com/durable-objects/best-practices/error-handling/
          if (how() === 'overloaded')
            throw Object.assign(new Error('Durable Object is overloaded.'), { overloaded: true });
          return Reflect.apply(value, target, args);
        };
      },
    });
  }
}

/** A rate limit whose minute never ends, as wrangler.toml has it: a slow machine reaches it too. */
function counter(most: number): RateLimit {
  const counts = new Map<string, number>();
  return {
    limit: async ({ key }) => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return { success: (counts.get(key) ?? 0) <= most };
    },
  };
}

/** Only a settlement contains this. */
const SETTLES = "closed_by = 'settle'";

/** A request sends nothing but batches, each in the turn in which its statements are prepared. */
function watchD1(db: D1Database, calls: Calls, faults: Faults): D1Database {
  let isSettlement = false;
  const batches = aroundBatch(db, async (send) => {
    const settles = isSettlement;
    isSettlement = false;
    calls.d1 += 1;
    if (settles && faults.settlements > 0) {
      faults.settlements -= 1;
      throw lost();
    }
    if (faults.d1Skip > 0) {
      faults.d1Skip -= 1;
      return send();
    }
    if (faults.d1Before > 0) {
      faults.d1Before -= 1;
      throw lost();
    }
    const answer = await send();
    if (faults.d1After === 0) return answer;
    faults.d1After -= 1;
    throw lost();
  });
  return new Proxy(batches, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'prepare' || typeof value !== 'function') return value;
      return (text: string): unknown => {
        isSettlement ||= text.includes(SETTLES);
        return Reflect.apply(value, target, [text]);
      };
    },
  });
}

function lost(): Error {
  return new Error('D1_ERROR: Network connection lost.');
}
