/** A reader that takes nothing for this long is gone, even if its connection is open. */
export const UNREAD_MS = 30_000;

/**
 * Whether a write was taken: the runtime resolves it when all of it has been read.
 * @param byMs when it is given up in any case, by the Worker's clock; it is given up after `UNREAD_MS` too
 * @param gone fires when the caller disconnects
 */
export async function isTaken(write: Promise<unknown>, byMs: number, gone: AbortSignal): Promise<boolean> {
  const { promise: stopped, resolve } = Promise.withResolvers<boolean>();
  const stop = (): void => resolve(false);
  const timer = setTimeout(stop, Math.min(UNREAD_MS, byMs - Date.now()));
  gone.addEventListener('abort', stop);
  const taken = write.then(
    () => true,
    () => false,
  );
  const done = !gone.aborted && (await Promise.race([taken, stopped]));
  clearTimeout(timer);
  gone.removeEventListener('abort', stop);
  return done;
}
