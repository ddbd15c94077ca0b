import * as z from 'zod';
import { type HostStatus, linkEvidenceSchema, mxRowSchema } from '../../schema/link.ts';
import type { AccountClass } from '../../schema/account-class.ts';
import type { HostState } from '../../schema/words/stored.ts';
import type { ByMinute } from './recent-counts.ts';

// The protocol between the Worker and a Fleet object. New Worker code can meet an old object for minutes after a
// deploy, so both forms may only be extended.

/** One call of `dispatch`. */
export type FleetJob = {
  readonly batchId: string;
  /** Local part and A-label domain of each distinct address; evidence names them by index. */
  readonly addresses: ReadonlyArray<readonly [local: string, domain: string]>;
  readonly remainingMs: number;
  /**
   * The account of the batch: hosts serve accounts in turn, and what one account's receivers report against a host
   * counts less than what several accounts' do.
   */
  readonly account: string;
  readonly accountClass: AccountClass;
};

/**
 * Why a batch was not begun. `full`: there is no room for anyone. `share`: this account, or all that never bought, hold
 * their share.
 */
const LACKS = ['full', 'share'] as const;
export type Lack = (typeof LACKS)[number];

/** The rows of 999 attempts of 500 addresses. */
const mxNumber = z.int().min(0).max(500_000);

/**
 * One line of the NDJSON byte stream that `dispatch` answers with. `mx` precedes the evidence that names it by number.
 * `end` is always last; a stream without it broke.
 */
export const fleetLineSchema = z.discriminatedUnion('type', [
  mxRowSchema.extend({ type: z.literal('mx'), n: mxNumber }),
  z.object({
    type: z.literal('evidence'),
    i: z.int().min(0).max(499),
    evidence: linkEvidenceSchema.extend({ mx: mxNumber }),
  }),
  z.object({
    type: z.literal('end'),
    cause: z.enum(['done', 'deadline', 'no_host', ...LACKS]),
    /** The hosts that had a job of the batch, and the number of jobs. */
    hosts: z.array(z.string()).max(1_000).readonly().exactOptional(),
    jobs: z.int().min(0).exactOptional(),
  }),
]);
export type FleetLine = z.infer<typeof fleetLineSchema>;

/** A host as one Fleet object sees it: all processes of the enrolment. */
export type ConnectedHost = {
  readonly id: string;
  /** Processes connected: two while one replaces the other. */
  readonly instances: number;
  readonly draining: boolean;
  readonly healthy: boolean;
  /** Why it is not healthy, or may not be; null: nothing is known against it. */
  readonly why: string | null;
  readonly jobs: number;
  /** Its processes, the newest first. */
  readonly processes: readonly ConnectedProcess[];
};

/** One process of a host. */
export type ConnectedProcess = Readonly<Omit<HostStatus, 'checked' | 'failing'>> & {
  readonly version: string;
  /** The addresses that receiving servers see; 'default' if the system chooses. */
  readonly egress: readonly string[];
  readonly startedAtMs: number;
  readonly heardAtMs: number;
  /** When a mail server last answered it for a job; null: none has yet. */
  readonly reachedAtMs: number | null;
};

/** What an object remembers of a host, connected or not. */
export type RememberedHost = {
  readonly id: string;
  /** When its last link ended; null: none has. */
  readonly seenAtMs: number | null;
  /** The last time that it was not let in, or refused a job. */
  readonly refusal: { readonly atMs: number; readonly why: string } | null;
  /** When its latest processes first said hello. */
  readonly startsAtMs: readonly number[];
};

/** What a Fleet object sees and remembers. */
export type FleetView = {
  readonly hosts: readonly ConnectedHost[];
  readonly remembered: readonly RememberedHost[];
  /** The outcomes of the batches of the last five minutes (`BatchOutcome`). */
  readonly outcomes: ByMinute;
};

/** The operator's calls to each Fleet object. */
export interface FleetControl {
  /** Takes effect at once on the connections of the host: `removed` closes them, `draining` sends no new jobs. */
  setHostState(host: string, state: HostState): Promise<void>;
  view(): Promise<FleetView>;
  /** Remembers why a host was not let in. */
  noteRefusal(host: string, why: string): Promise<void>;
}

/** All lines, or NDJSON of them; its reader may abandon the batch by cancelling it. */
export type FleetAnswer = readonly FleetLine[] | ReadableStream;

/** A Fleet object, as the Worker's stubs call it. */
export interface FleetObject extends FleetControl, Rpc.DurableObjectBranded {
  /**
   * @param gathersMs a batch that ends within this time is answered in one piece: a stream costs both sides more
   * @throws Error for a batch id that is used already
   */
  dispatch(job: FleetJob, gathersMs?: number): Promise<FleetAnswer>;
}

/** How the Worker names the host that dials in. The object is reachable through the Worker alone. */
export const LINK_HEADERS = { host: 'x-rcpt-host', state: 'x-rcpt-host-state' } as const;
