// Other engines as `npm run bench -- peers` last measured them, beside the bare client of the same run: 2,000 domains, one
// accepted address each, with and without the start of a process. Seconds of one day say nothing on another, since the
// machine's speed differs; by the bare client's they do.

/** Seconds, and the same without the start. */
export type Past = {
  readonly startedWallS: number;
  readonly startedCpuS: number;
  readonly wallS: number;
  readonly cpuS: number;
};

export type Rival = {
  readonly name: string;
  /** By the number of domains at once. */
  readonly past: Readonly<Record<number, Past>>;
};

export const RIVALS_DATE = '2026-11-22';

export const RIVALS: readonly Rival[] = [];

/** The floor of that run. */
export const BARE: Rival = { name: 'bare client', past: {} };

const WALL_RATIO_MAX = 1.1;

/** So many times the bare client's wall time was the fastest other engine's, and a tenth more. */
export function wallRatioMax(concurrency: number): number {
  return (WALL_RATIO_MAX * least(concurrency, ({ wallS }) => wallS)) / ofBare(concurrency, ({ wallS }) => wallS);
}

/** So many times the bare client's processor time was the thriftiest other engine's. */
export function cpuRatioMax(concurrency: number): number {
  return least(concurrency, ({ cpuS }) => cpuS) / ofBare(concurrency, ({ cpuS }) => cpuS);
}

function least(concurrency: number, read: (past: Past) => number): number {
  return Math.min(...RIVALS.flatMap(({ past }) => past[concurrency] ?? []).map(read));
}

function ofBare(concurrency: number, read: (past: Past) => number): number {
  const past = BARE.past[concurrency];
  if (past === undefined) throw new Error(`the bare client was not measured with ${concurrency} at once`);
  return read(past);
}
