import type { Refusal } from './explain-refusal.ts';

// Anybody may knock at the hosts' door, and each refusal is to be seen: so one of a host, or of all strangers together,
// is told once in a while, however often it happens.

const TOLD_EVERY_MS = 60_000;
/** Hosts are the operator's to name, so there are never many. */
const HOSTS_MAX = 1_000;

export class RefusedLinks {
  readonly #toldAt = new Map<string, number>();

  /** Whether this refusal is to be told: the first of its host, or of a stranger, in a minute. */
  isNews({ host }: Refusal, nowMs: number): boolean {
    const who = host ?? '';
    if (nowMs - (this.#toldAt.get(who) ?? -Infinity) < TOLD_EVERY_MS) return false;
    this.#toldAt.delete(who);
    this.#toldAt.set(who, nowMs);
    for (const [oldest] of this.#toldAt) {
      if (this.#toldAt.size <= HOSTS_MAX) break;
      this.#toldAt.delete(oldest);
    }
    return true;
  }
}
