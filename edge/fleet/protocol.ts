import * as z from 'zod';
import { evidenceSchema } from '../../schema/evidence.ts';

// What the Worker and a Fleet object say to each other. New Worker code can meet an old object for minutes after a
// deploy, so both forms carry a version and are only ever added to.

/** One call of `dispatch`. */
export type FleetJob = {
  readonly v: 1;
  readonly batchId: string;
  /** Whose batch it is; a Worker from before this field has none. */
  readonly account?: string;
  /** Local part and A-label domain of each distinct address; evidence names them by index. */
  readonly addresses: ReadonlyArray<readonly [local: string, domain: string]>;
  readonly remainingMs: number;
  /** The same batch was asked for before and the answer broke off: wait for the host that says it is running it. */
  readonly again?: boolean;
};

/** One line of the NDJSON byte stream that `dispatch` answers with. `end` is always last; a stream without it broke. */
export const fleetLineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('evidence'), i: z.int().min(0).max(499), evidence: evidenceSchema }),
  z.object({ type: z.literal('end'), cause: z.enum(['done', 'deadline', 'no_host']) }),
]);
export type FleetLine = z.infer<typeof fleetLineSchema>;
