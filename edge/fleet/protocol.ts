import * as z from 'zod';
import { evidenceSchema } from '../../schema/evidence.ts';
import type { HostState } from '../../schema/stored-words.ts';

// What the Worker and a Fleet object say to each other. New Worker code can meet an old object for minutes after a
// deploy, so both forms carry a version and are only ever added to.

/** One call of `dispatch`. */
export type FleetJob = {
  readonly v: 1;
  readonly batchId: string;
  /** Local part and A-label domain of each distinct address; evidence names them by index. */
  readonly addresses: ReadonlyArray<readonly [local: string, domain: string]>;
  readonly remainingMs: number;
  /** Whose batch it is: what one account's receivers say against a host counts less than what several accounts' do. */
  readonly account?: string | undefined;
  /** The same batch was asked for before and the answer broke off: wait for the host that says it is running it. */
  readonly again?: boolean;
};

/** One line of the NDJSON byte stream that `dispatch` answers with. `end` is always last; a stream without it broke. */
export const fleetLineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('evidence'), i: z.int().min(0).max(499), evidence: evidenceSchema }),
  z.object({ type: z.literal('end'), cause: z.enum(['done', 'deadline', 'no_host']) }),
]);
export type FleetLine = z.infer<typeof fleetLineSchema>;

/** A host as one Fleet object sees it: every process of the enrolment together. */
export type ConnectedHost = {
  readonly id: string;
  /** Processes connected: two while one replaces the other. */
  readonly instances: number;
  readonly draining: boolean;
  readonly healthy: boolean;
  /** Why it is not healthy; null if it is. */
  readonly why: string | null;
  readonly jobs: number;
};

/** What the operator's side asks of each Fleet object. */
export interface FleetControl {
  /** Takes effect at once on the connections of the host: `removed` closes them, `draining` sends no new jobs. */
  setHostState(host: string, state: HostState): Promise<void>;
  hosts(): Promise<ConnectedHost[]>;
}

/** How the Worker tells a Fleet object who dials in. The object is reachable through the Worker alone. */
export const LINK_HEADERS = { host: 'x-rcpt-host', state: 'x-rcpt-host-state' } as const;
