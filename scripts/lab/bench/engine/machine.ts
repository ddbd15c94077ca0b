import { readFileSync } from 'node:fs';

// Whether a figure was taken on a machine that did something else besides: Linux only, elsewhere nothing is known.

/** Of the machine's processor time so much, in percent, may have gone to others before a measurement is repeated. */
const OTHERS_PERCENT_MAX = 10;
const TRIES = 3;

/** What was measured, and what share of the machine's processor time others had meanwhile, in percent; null if unknown. */
export type Undisturbed<T> = { readonly result: T; readonly othersPercent: number | null };

/**
 * Measures, and measures again if others kept the machine busy; gives the least disturbed of three.
 * @param work starts its processes itself and waits for their ends: what they used is counted as our own
 */
export async function undisturbed<T>(work: () => Promise<T>): Promise<Undisturbed<T>> {
  let best = await watched(work);
  for (let tries = 1; tries < TRIES && (best.othersPercent ?? 0) > OTHERS_PERCENT_MAX; tries += 1) {
    const again = await watched(work);
    if ((again.othersPercent ?? 0) < (best.othersPercent ?? 0)) best = again;
  }
  return best;
}

async function watched<T>(work: () => Promise<T>): Promise<Undisturbed<T>> {
  const before = ticks();
  const result = await work();
  const after = ticks();
  if (before === null || after === null) return { result, othersPercent: null };
  const others = after.busy - before.busy - (after.own - before.own);
  return { result, othersPercent: Math.max(0, (100 * others) / Math.max(1, after.all - before.all)) };
}

/** Processor time since the machine started, in its ticks; `own`: of this process and its children that have ended. */
function ticks(): { readonly busy: number; readonly all: number; readonly own: number } | null {
  try {
    const machine = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').split(/\s+/).slice(1).map(Number);
    const [user = 0, nice = 0, system = 0, , , , , steal = 0] = machine;
    // Behind the name, which may have blanks: utime, stime, cutime and cstime are fields 14 to 17 of the line.
    const own = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .slice(11, 15)
      .map(Number);
    // Handling packets for loopback is nobody's work in particular: it is neither busy nor own.
    return { busy: user + nice + system + steal, all: sum(machine.slice(0, 8)), own: sum(own) };
  } catch {
    return null;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
