import { ACK_WITHIN_MS, HOST_ENDS_EARLIER_MS, REPORT_EVERY_MS, SILENT_AFTER_MS } from '../../../schema/link.ts';

/** All timeouts and counts of the fleet, so that tests can shorten them. */
export type FleetLimits = {
  /** A host silent for this long gets no jobs. */
  readonly silentAfterMs: number;
  /** A job not acknowledged within this time goes to another host. */
  readonly ackMs: number;
  /** A running job without a report for this long goes to another host. */
  readonly reportMs: number;
  /** If a host reports nothing about a domain for this long, or half of the time left, another one is asked too. */
  readonly resultMs: number;
  /** A host whose link broke has this long to return to its jobs. */
  readonly resumeMs: number;
  /** How long a batch waits for a host to dial in. */
  readonly hostWaitMs: number;
  /** A link without a hello within this time is closed. */
  readonly helloMs: number;
  /** Batches that a new host may be of use to look for it this much later, all together. */
  readonly gatherMs: number;
  /** A second host is not tried when less time is left. */
  readonly secondTryMs: number;
  /** Evidence held back is written this long before the end: hosts are done by then. */
  readonly releaseMs: number;
  /** Domains probed at once in one batch, over all its jobs. */
  readonly lanes: number;
};

export const LIMITS: FleetLimits = {
  silentAfterMs: SILENT_AFTER_MS,
  ackMs: ACK_WITHIN_MS,
  reportMs: REPORT_EVERY_MS,
  resultMs: 45_000,
  resumeMs: 2_000,
  hostWaitMs: 4_000,
  helloMs: 10_000,
  gatherMs: 20,
  secondTryMs: HOST_ENDS_EARLIER_MS + 5_000,
  releaseMs: HOST_ENDS_EARLIER_MS / 2,
  lanes: 20,
};
