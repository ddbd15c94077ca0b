import type { Log } from './log.ts';

/** A line of a stack that names a place in the program. */
const PLACE = /^\s+at .{1,300}:\d+:\d+\)?$/;

/**
 * Logs bugs that the engine met: one line for each doubling of their number, since one that hits every domain would
 * fill the disk. An error's words may name a recipient, and are left out: only its type and its place are logged.
 */
export function bugTeller(log: Log): (error: unknown) => void {
  let count = 0;
  return (error) => {
    count += 1;
    if (!Number.isInteger(Math.log2(count))) return;
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    log('engine_bug', {
      count,
      error: error instanceof Error ? error.name : typeof error,
      at:
        stack
          .split('\n')
          .find((line) => PLACE.test(line))
          ?.trim() ?? 'unknown place',
    });
  };
}
