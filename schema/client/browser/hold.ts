/**
 * Takes a lock of this origin (Web Locks) unless somebody has it. The browser takes it back from a tab that is gone,
 * however it went.
 * @returns how to give it back, which resolves when others can have it; null if somebody has it
 * @throws Error if there are no Web Locks
 */
export function hold(name: string): Promise<(() => Promise<void>) | null> {
  return new Promise((resolve, reject) => {
    // Pages without HTTPS have none, although the types say so.
    if (!('locks' in navigator)) throw new Error('there are no Web Locks: the page must be served over HTTPS');
    const use = (lock: unknown): Promise<void> | null => {
      if (lock !== null)
        return new Promise((letGo) =>
          resolve(async () => {
            letGo();
            await request;
          }),
        );
      resolve(null);
      return null;
    };
    const request = navigator.locks.request(name, { ifAvailable: true }, use);
    request.catch(reject);
  });
}

/** Resolves when nobody has the lock. @throws Error if there are no Web Locks */
export async function released(name: string): Promise<void> {
  if (!('locks' in navigator)) throw new Error('there are no Web Locks: the page must be served over HTTPS');
  await navigator.locks.request(name, { mode: 'shared' }, () => {});
}
