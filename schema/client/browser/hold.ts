/**
 * Takes a lock of this origin (Web Locks) if it is free. The browser releases it when the tab is gone.
 * @returns how to release it, which resolves when others can have it; null if it is taken
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

/** Whether anybody has the lock now, in any tab. */
export async function isHeld(name: string): Promise<boolean> {
  const { held = [] } = 'locks' in navigator ? await navigator.locks.query() : {};
  return held.some((lock) => lock.name === name);
}

/** Resolves when the lock is free. @throws Error if there are no Web Locks */
export async function released(name: string): Promise<void> {
  if (!('locks' in navigator)) throw new Error('there are no Web Locks: the page must be served over HTTPS');
  await navigator.locks.request(name, { mode: 'shared' }, () => {});
}
