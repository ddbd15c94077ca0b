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

/**
 * One turn, others had 45 % of the machine with 20 at once and none of it with 100. With 1,000 at once the peers' look-ups
 * overran the buffer that the bench's name server then had, and waited for their resolvers' next try: nothing to compare with.
 */
export const RIVALS: readonly Rival[] = [
  {
    name: 'AfterShip 1.4.1',
    past: {
      20: { startedWallS: 1.38, startedCpuS: 1.01, wallS: 1.28, cpuS: 0.78 },
      100: { startedWallS: 1.11, startedCpuS: 1.21, wallS: 0.82, cpuS: 0.88 },
    },
  },
  {
    name: 'Reacher 0.11.11',
    past: {
      20: { startedWallS: 1.38, startedCpuS: 1.21, wallS: 1.53, cpuS: 1.1 },
      100: { startedWallS: 0.92, startedCpuS: 1.06, wallS: 1.21, cpuS: 1.46 },
    },
  },
];

/** The floor of that run. */
export const BARE: Rival = {
  name: 'bare client',
  past: {
    20: { startedWallS: 1.59, startedCpuS: 0.89, wallS: 0.69, cpuS: 0.36 },
    100: { startedWallS: 0.69, startedCpuS: 0.74, wallS: 0.44, cpuS: 0.42 },
  },
};

/** The largest crowd of which every peer's figures are its own. */
const LARGEST_COMPARED = 100;

const WALL_RATIO_MAX = 1.1;

/** So many times the bare client's wall time was the fastest other engine's, and a tenth more. */
export function wallRatioMax(atOnce: number): number {
  const concurrency = Math.min(atOnce, LARGEST_COMPARED);
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
