import type { Config } from '../config.ts';
import type { FleetControl } from '../fleet/control.ts';

/** What every operation of the operator's API works with. */
export type Services = {
  readonly db: D1Database;
  /** Every Fleet object. */
  readonly fleet: readonly FleetControl[];
  readonly config: Config;
  /** When the call came, in milliseconds since 1970. */
  readonly nowMs: number;
};
