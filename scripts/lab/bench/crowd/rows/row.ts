import type { Crowd } from '../scene/crowd.ts';
import type { Stage } from '../scene/stage.ts';
import type { Behaviour } from '../scene/world.ts';

/** One crowd: a file each. */
export type Row = {
  readonly name: string;
  readonly what: string;
  readonly behaviour: Behaviour;
  /** What is to be in the database before: it is given the state folder of the service, which does not run. */
  readonly seed?: { readonly account: string; readonly into: (state: string) => Promise<void> };
  readonly begin: (stage: Stage) => Promise<Crowd>;
  /** The same calls to a Worker that answers at once: what the machine itself costs B. */
  readonly floor?: (stage: Stage) => Crowd;
  /** How long it gathers before B asks. */
  readonly gathersMs: number;
  /** What it must hold while B asks, or it was no crowd, and in which unit. */
  readonly holds: number;
  readonly unit: string;
  /** B's p99 beside it, in milliseconds, at most. */
  readonly p99Ms: number;
  /** How long B is willing to wait; then its addresses may come back unprobed, as long as that costs nothing. */
  readonly bWaitsS?: number;
};
