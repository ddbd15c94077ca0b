import type { Env } from '../../base/env.ts';
import { Trips } from './trips.ts';

/** How far away D1 and the objects are: there and back, in milliseconds. */
export type Distance = { bindingsMs: number };

const RUNS: ReadonlySet<string | symbol> = new Set(['run', 'all', 'first', 'raw']);

/** D1 and the objects of a Worker, as far away as `distance` says, with every trip counted. The Worker sees no difference. */
export function farBindings(env: Env, distance: Distance): { readonly env: Env; readonly trips: Trips } {
  const trips = new Trips();
  const cross = (call: () => unknown): Promise<unknown> =>
    trips.make(async () => {
      await wait(distance.bindingsMs / 2);
      const answer = await call();
      await wait(distance.bindingsMs / 2);
      return answer;
    });
  return {
    env: {
      ...env,
      DB: farD1(env.DB, cross),
      LIMITER: farObjects(env.LIMITER, cross),
      FLEET: farObjects(env.FLEET, cross),
    },
    trips,
  };
}

/** A timer of 0 ms would still cost a turn. */
export function wait(ms: number): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((wake) => setTimeout(wake, ms));
}

type Cross = (call: () => unknown) => Promise<unknown>;

function farObjects<T extends Rpc.DurableObjectBranded | undefined>(
  namespace: DurableObjectNamespace<T>,
  cross: Cross,
): DurableObjectNamespace<T> {
  return onCall(namespace, (_name, get) => {
    const stub = get();
    return typeof stub === 'object' && stub !== null ? onCall(stub, (_method, call) => cross(call)) : stub;
  });
}

/** What is prepared costs nothing until it is sent. */
function farD1(db: D1Database, cross: Cross): D1Database {
  const originals = new WeakMap<object, object>();
  const far = (statement: object): object => {
    const made = onCall(statement, (name, call) => (RUNS.has(name) ? cross(call) : farIfObject(call())));
    originals.set(made, statement);
    return made;
  };
  const farIfObject = (value: unknown): unknown => (typeof value === 'object' && value !== null ? far(value) : value);
  const original = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(original)
      : ((value instanceof Object ? originals.get(value) : undefined) ?? value);
  return onCall(db, (name, call) => (name === 'prepare' ? farIfObject(call()) : cross(call)), original);
}

/** The same object, with each call of a method handed to `handle`. */
function onCall<T extends object>(
  target: T,
  handle: (name: string | symbol, call: () => unknown) => unknown,
  argument: (value: unknown) => unknown = (value) => value,
): T {
  return new Proxy(target, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name, of);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => handle(name, () => Reflect.apply(value, of, args.map(argument)));
    },
  });
}
