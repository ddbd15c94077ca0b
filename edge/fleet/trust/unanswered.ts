import { keepLatest } from '../../../schema/keep-latest.ts';

/** So many times, */
const TIMES = 3;
/** in this time, and a host is kept back */
const WITHIN_MS = 600_000;
/** until this long after the last. */
const KEPT_BACK_MS = 300_000;
/** What is lost together, with one process or one link, is one time. */
const ONCE_MS = 10_000;
/** Far more than are enrolled; the one heard of longest ago is forgotten. */
const HOSTS_MAX = 1_000;

/**
 * Which hosts left jobs unanswered again and again: by host, because one that crashes comes back as another process each
 * time, and looks new.
 */
export class UnansweredJobs {
  readonly #times = new Map<string, readonly number[]>();

  /** A host did not end a job that it was given. @returns whether it is kept back from now on, and was not before */
  note(host: string, nowMs: number): boolean {
    const before = this.#times.get(host) ?? [];
    const last = before.at(-1);
    if (last !== undefined && nowMs - last < ONCE_MS) return false;
    const wasKeptBack = this.isKeptBack(host, nowMs);
    keepLatest(this.#times, host, [...before, nowMs].slice(-TIMES), HOSTS_MAX);
    return !wasKeptBack && this.isKeptBack(host, nowMs);
  }

  /** Whether the host left several unanswered. */
  isKeptBack(host: string, nowMs: number): boolean {
    const times = this.#times.get(host) ?? [];
    const [first = -Infinity] = times;
    const last = times.at(-1) ?? -Infinity;
    return times.length === TIMES && last - first <= WITHIN_MS && nowMs - last < KEPT_BACK_MS;
  }
}
