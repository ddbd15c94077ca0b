// Other engines at the same work, measured with their own programs, process start included, on 21 November 2026 on two
// cores: 2,000 domains on loopback, one accepted address each. Not measured by this bench: what it prints beside its
// own figures are these.

export type Rival = {
  readonly name: string;
  /** Domains at once to seconds. */
  readonly wallS: Readonly<Record<20 | 100 | 1_000, number>>;
  readonly cpuS: Readonly<Record<20 | 100 | 1_000, number>>;
};

export const RIVALS_DATE = '2026-11-21';

export const RIVALS: readonly Rival[] = [
  {
    name: 'Reacher 0.11.11',
    wallS: { 20: 0.8, 100: 0.73, 1_000: 1.05 },
    cpuS: { 20: 1.0, 100: 0.93, 1_000: 1.21 },
  },
  {
    name: 'AfterShip 1.4.1',
    wallS: { 20: 0.64, 100: 0.67, 1_000: 0.94 },
    cpuS: { 20: 0.75, 100: 0.73, 1_000: 1.05 },
  },
];
