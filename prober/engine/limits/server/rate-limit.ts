const MINUTE_MS = 60_000;
/** This share of a minute's connections may start at once. */
const BURST = 0.3;
/** The rest start at this share of the allowed rate, so that some of the minute is left for a newcomer. */
export const STEADY = 0.85;
/** Sums of intervals are not exact: a start that is early by no more than this is on time. */
const ROUNDING_MS = 0.01;

/** After each minute without a new refusal a server that bore fewer starts is tried with one more. */
export const RATE_RAISE_AFTER_MS = MINUTE_MS;
/** This many connections of ours within a minute are a crowd, after which a server may have had enough of us. */
const CROWD_MIN = 3;
/** No more are counted of a server without a limit. */
const NOTED_MAX = 100;
/** For this long after it accepted a connection a server that bore fewer starts is taken to mean our crowd. */
const CROWD_LASTS_MS = 900_000;

/**
 * Connections started per minute: a token bucket, and a window of one minute that is never exceeded. At most as many as
 * configured, or as a server has shown lately that it bears.
 */
export class RateLimit {
  readonly #perMinute: number;
  #fullAt = 0;
  #lastAt = -Infinity;
  /** The latest starts, as a ring once there are as many as a minute allows; the oldest is at `#oldest`. */
  readonly #starts: number[] = [];
  #oldest = 0;
  #lowered: { readonly to: number; readonly atMs: number };
  /** When the server accepted connections, and served recipients; the oldest first. */
  readonly #accepted: number[] = [];
  readonly #served: number[] = [];

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
    this.#lowered = { to: perMinute, atMs: 0 };
  }

  /** When the bucket is full again; of two limits the one with the earlier time was used less. */
  get fullAt(): number {
    return this.#fullAt;
  }

  /** How many may start in a minute. */
  allowedAt(now: number): number {
    const { to, atMs } = this.#lowered;
    return Math.min(this.#perMinute, to + Math.floor((now - atMs) / RATE_RAISE_AFTER_MS));
  }

  /** When the next connection may start. */
  readyAt(now: number): number {
    const allowed = this.allowedAt(now);
    const burst = allowed === Infinity ? 1 : Math.max(1, Math.floor(allowed * BURST));
    const slackMs = (burst - 1) * intervalMs(allowed) + ROUNDING_MS;
    return Math.max(this.#fullAt - slackMs, this.#windowEndsAt(allowed));
  }

  /** The server accepted a connection. */
  accept(now: number): void {
    this.#note(this.#accepted, now);
  }

  /** A domain's turn in a connection ended, and the server had judged a recipient of it. */
  serve(now: number): void {
    this.#note(this.#served, now);
  }

  /**
   * The server put a connection off. If it has accepted a crowd of ours just before (for a connection that it had accepted
   * too: served one), that may be the cause: it bears no more starts than these in a minute.
   * @param at where: at RCPT it may be one domain that says so, and no other's connections are started the later for it
   * @returns whether it may; then the refusal is no evidence
   */
  defer(at: 'opening' | 'mail' | 'rcpt', now: number): boolean {
    const crowd = at === 'opening' ? this.#accepted : this.#served;
    const isStill = this.isReduced(now) && (crowd.at(-1) ?? -Infinity) + CROWD_LASTS_MS > now;
    if (countSince(crowd, now - MINUTE_MS) < CROWD_MIN && !isStill) return false;
    const others = countSince(this.#accepted, now - MINUTE_MS) - (at === 'opening' ? 0 : 1);
    const bears = Math.max(1, others);
    if (at !== 'rcpt' && this.#perMinute !== Infinity && bears < this.allowedAt(now))
      this.#lowered = { to: bears, atMs: now };
    return true;
  }

  /** The server has shown that it bears fewer than configured. */
  isReduced(now: number): boolean {
    return this.allowedAt(now) < this.#perMinute;
  }

  /** When a connection that comes behind so many others may start, or no earlier. */
  reachedAt(behind: number, now: number): number {
    // Within a minute one more may be allowed.
    const allowed = this.allowedAt(now) + 1;
    const burst = Math.max(1, Math.floor(allowed * BURST));
    const first = this.readyAt(now);
    return Math.max(first, Math.max(this.#fullAt, first) + (behind + 1 - burst) * intervalMs(allowed));
  }

  /** A new one would allow the same. */
  isForgettable(now: number): boolean {
    return this.#fullAt <= now && this.#lastAt + MINUTE_MS <= now && this.allowedAt(now) === this.#perMinute;
  }

  countStart(now: number): void {
    this.#fullAt = Math.max(this.#fullAt, now) + intervalMs(this.allowedAt(now));
    this.#lastAt = now;
    if (this.#perMinute === Infinity) return;
    this.#starts[this.#oldest] = now;
    this.#oldest = (this.#oldest + 1) % this.#perMinute;
  }

  /** When the window has room again. */
  #windowEndsAt(allowed: number): number {
    if (this.#starts.length < allowed) return 0;
    return (this.#starts[(this.#oldest - allowed + this.#perMinute) % this.#perMinute] ?? 0) + MINUTE_MS;
  }

  /** No more are kept than may be in a minute. */
  #note(times: number[], now: number): void {
    times.push(now);
    if (times.length > Math.min(this.#perMinute, NOTED_MAX)) times.shift();
  }
}

function countSince(times: readonly number[], from: number): number {
  return times.filter((at) => at > from).length;
}

function intervalMs(perMinute: number): number {
  return Math.min(MINUTE_MS, MINUTE_MS / (perMinute * STEADY));
}
