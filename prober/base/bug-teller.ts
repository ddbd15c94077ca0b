import type { Log } from './log.ts';

/** A line of a stack that names a place in the program. */
const PLACE = /^\s+at .{1,300}:\d+:\d+\)?$/;

/** Logs bugs, once for each doubling of their number: the type and place alone, since words may name a recipient. */
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
