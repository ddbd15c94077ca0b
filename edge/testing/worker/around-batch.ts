/**
 * A D1 database whose batches pass `around`; everything else is as it was.
 * @param around gets what sends the batch, and gives what its caller gets
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
