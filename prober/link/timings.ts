import { PING_EVERY_MS, REPORT_EVERY_MS, SILENT_AFTER_MS } from '../../schema/link.ts';

/** Every interval of a link, so that tests can shorten them. */
export type LinkTimings = {
  readonly pingMs: number;
  /** A link on which nothing is heard for this long is dead. */
  readonly silentMs: number;
  /** How often a running job says so. */
  readonly aliveMs: number;
  /** Evidence that follows other evidence waits this long for company. */
  readonly gatherMs: number;
  /** At most one status in this time, unless it is about taking jobs at all. */
  readonly statusMs: number;
  readonly handshakeMs: number;
  /** A link that stood for this long was a good one: the next failure counts as the first. */
  readonly goodMs: number;
  /** Wait when trying again soon cannot help: the edge does not know us. */
  readonly refusedMs: number;
};

export const TIMINGS: LinkTimings = {
  pingMs: PING_EVERY_MS,
  silentMs: SILENT_AFTER_MS,
  aliveMs: REPORT_EVERY_MS / 2,
  gatherMs: 10,
  statusMs: 1_000,
  handshakeMs: 10_000,
  goodMs: 5_000,
  refusedMs: 60_000,
};
