import { PING_EVERY_MS, REPORT_EVERY_MS, SILENT_AFTER_MS } from '../../schema/link.ts';

/** Every interval of a link. */
export const TIMINGS = {
  pingMs: PING_EVERY_MS,
  /** A link that is silent for this long is dead. */
  silentMs: SILENT_AFTER_MS,
  /** How often a running job says so. */
  aliveMs: REPORT_EVERY_MS / 2,
  /** Evidence that follows other evidence waits this long for more. */
  gatherMs: 10,
  /** At most one status within this time, unless it is about taking jobs at all. */
  statusMs: 1_000,
  handshakeMs: 10_000,
  /** A link that was open for this long was a good one: the next failure counts as the first. */
  goodMs: 5_000,
  /** The wait if an early retry cannot help: the edge does not know us. */
  refusedMs: 60_000,
};

/** So that tests can shorten them. */
export type LinkTimings = Readonly<typeof TIMINGS>;
