/**
 * A D1 database whose batches pass through `around`; everything else is unchanged.
 * @param around gets the function that sends the batch, and returns what its caller gets
 */
export function aroundBatch<T extends object>(db: T, around: (send: () => Promise<unknown>) => Promise<unknown>): T {
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const call = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
      if (name !== 'batch') return call;
      return (...args: unknown[]) => around(async () => call(...args));
    },
  });
}
