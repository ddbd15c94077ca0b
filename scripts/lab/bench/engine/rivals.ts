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

/** Medians of three turns, nothing else running. */
export const RIVALS: readonly Rival[] = [
  {
    name: 'AfterShip 1.4.1',
    past: {
      20: { startedWallS: 1.53, startedCpuS: 1.48, wallS: 1.12, cpuS: 1.14 },
      100: { startedWallS: 1.27, startedCpuS: 1.38, wallS: 1.08, cpuS: 1.19 },
      1_000: { startedWallS: 1.28, startedCpuS: 1.41, wallS: 1.02, cpuS: 1.2 },
    },
  },
  {
    name: 'Reacher 0.11.11',
    past: {
      20: { startedWallS: 1.55, startedCpuS: 1.58, wallS: 1.54, cpuS: 1.53 },
      100: { startedWallS: 1.32, startedCpuS: 1.53, wallS: 1.14, cpuS: 1.35 },
      1_000: { startedWallS: 1.22, startedCpuS: 1.51, wallS: 1.12, cpuS: 1.39 },
    },
  },
];

/** The floor of that run. */
export const BARE: Rival = {
  name: 'bare client',
  past: {
    20: { startedWallS: 0.9, startedCpuS: 0.79, wallS: 0.59, cpuS: 0.54 },
    100: { startedWallS: 0.91, startedCpuS: 0.83, wallS: 0.67, cpuS: 0.64 },
    1_000: { startedWallS: 0.75, startedCpuS: 0.8, wallS: 0.56, cpuS: 0.52 },
  },
};

const WALL_RATIO_MAX = 1.1;

/** The fastest other engine's wall time as a multiple of the bare client's, and a tenth more. */
export function wallRatioMax(concurrency: number): number {
  return (WALL_RATIO_MAX * least(concurrency, ({ wallS }) => wallS)) / ofBare(concurrency, ({ wallS }) => wallS);
}

/** The thriftiest other engine's processor time as a multiple of the bare client's. */
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
