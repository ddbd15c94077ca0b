import { pause } from '../base/pause.ts';

// D1 retries no write. Ours are safe to repeat (each carries the id of its batch), so we retry if D1 reports a
// transient failure. Never when it is overloaded: that would make it worse.

const PASSING = [
  'Network connection lost',
  'storage caused object to be reset',
  'reset because its code was updated',
  'Cannot resolve D1 DB due to transient issue',
];
const PAUSE_MS = [50, 250, 1000] as const;

/** Whether D1 may succeed when asked again at once. The statement may have been committed all the same. */
export function isPassing(error: unknown): boolean {
  return error instanceof Error && PASSING.some((words) => error.message.includes(words));
}

/** Whether D1 refused a request because a row would break a constraint of its table: nothing of it was carried out. */
export function isRefused(error: unknown): boolean {
  return error instanceof Error && error.message.includes('SQLITE_CONSTRAINT');
}

/**
 * Runs something repeatable until it succeeds, fails for good, or `attempts` are used up.
 * @param attempts 1 to 4
 * @param wait lets this many milliseconds pass between two of them
 * @throws the last error
 */
export async function persist<T>(attempts: number, run: () => Promise<T>, wait = pause): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const pauseMs = PAUSE_MS[attempt - 1];
      if (attempt >= attempts || pauseMs === undefined || !isPassing(error)) throw error;
      await wait(pauseMs * (0.5 + Math.random()));
    }
  }
}
