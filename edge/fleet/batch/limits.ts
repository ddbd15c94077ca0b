import { ACK_WITHIN_MS, HOST_ENDS_EARLIER_MS, REPORT_EVERY_MS, SILENT_AFTER_MS } from '../../../schema/link.ts';

/** Every waiting time and count of the fleet, so that tests can shorten them. */
export type FleetLimits = {
  /** A host not heard from for this long gets no jobs. */
  readonly silentAfterMs: number;
  /** A job not acknowledged in this time goes elsewhere. */
  readonly ackMs: number;
  /** A running job of which nothing is heard for this long goes to another host. */
  readonly reportMs: number;
  /** A host whose link broke has this long to come back to its jobs. */
  readonly resumeMs: number;
  /** How long a batch waits for a host to dial in. */
  readonly hostWaitMs: number;
  /** A link on which no hello has come in this time is closed. */
  readonly helloMs: number;
  /** Batches that a host which joined may be of use to look around so much later, all together. */
  readonly gatherMs: number;
  /** A second host is not tried when less is left. */
  readonly secondTryMs: number;
  /** Evidence held back is written this long before the end: hosts have ended by then. */
  readonly releaseMs: number;
  /** Domains probed at once in one batch, over all its jobs. */
  readonly lanes: number;
};

export const LIMITS: FleetLimits = {
  silentAfterMs: SILENT_AFTER_MS,
  ackMs: ACK_WITHIN_MS,
  reportMs: REPORT_EVERY_MS,
  resumeMs: 2_000,
  hostWaitMs: 4_000,
  helloMs: 10_000,
  gatherMs: 20,
  secondTryMs: HOST_ENDS_EARLIER_MS + 5_000,
  releaseMs: HOST_ENDS_EARLIER_MS / 2,
  lanes: 20,
};
