import type { Address } from '../../schema/address.ts';
import type { Evidence } from '../../schema/evidence.ts';
import type { Engine } from '../../prober/engine/batch.ts';

/** One batch of the engine: as many of a domain's addresses as a request of the interface may have. */
const BATCH_MAX = 500;
/** All that is probed here is one caller's. */
const ACCOUNT = 0;

export type FunnelOptions = {
  readonly engine: Engine;
  /** The engine's clock, in milliseconds. */
  readonly now: () => number;
  /** Domains probed at once. */
  readonly concurrency: number;
  /** What one batch may take. */
  readonly deadlineMs: number;
  /** Addresses that may wait; `room` resolves when more can be added. */
  readonly waitingMax: number;
  /** Null, or a promise to wait for before more is started: the output is behind. */
  readonly behind: () => Promise<void> | null;
  readonly onEvidence: (address: Address, evidence: Evidence) => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
};

/**
 * Turns a stream of addresses into batches: one domain each, so that a domain's addresses share sessions, its deadline
 * begins when it begins, and no domain is probed twice at a time. Addresses of a domain under way wait for its next
 * batch. What was begun is finished when the signal fires, as far as the engine got; the rest is dropped.
 */
export class Funnel {
  readonly #options: FunnelOptions;
  readonly #waiting = new Map<string, Address[]>();
  readonly #running = new Set<string>();
  #waitingCount = 0;
  #held = false;
  #wake: (() => void) | null = null;

  constructor(options: FunnelOptions) {
    this.#options = options;
  }

  /** Adds an address; nothing starts before `start`, so that addresses that come together are probed together. */
  add(address: Address): void {
    const group = this.#waiting.get(address.domain);
    if (group === undefined) this.#waiting.set(address.domain, [address]);
    else group.push(address);
    this.#waitingCount += 1;
  }

  /** Starts what may be started. */
  start(): void {
    const { concurrency, signal, behind } = this.#options;
    while (!signal.aborted && !this.#held && this.#running.size < concurrency) {
      const output = behind();
      if (output !== null) {
        this.#hold(output);
        return;
      }
      const domain = this.#next();
      if (domain === null) return;
      this.#run(domain, this.#dequeue(domain));
    }
  }

  /** Waits until more may be added. */
  async room(): Promise<void> {
    while (this.#waitingCount >= this.#options.waitingMax && !this.#options.signal.aborted) await this.#changed();
  }

  /** Waits until everything that was added is done, or what was begun when the signal fired. */
  async done(): Promise<void> {
    while (this.#running.size > 0 || (this.#waitingCount > 0 && !this.#options.signal.aborted)) await this.#changed();
  }

  #next(): string | null {
    for (const domain of this.#waiting.keys()) if (!this.#running.has(domain)) return domain;
    return null;
  }

  #dequeue(domain: string): Address[] {
    const group = this.#waiting.get(domain) ?? [];
    this.#waiting.delete(domain);
    const batch = group.length > BATCH_MAX ? group.splice(0, BATCH_MAX) : group;
    if (batch !== group) this.#waiting.set(domain, group);
    this.#waitingCount -= batch.length;
    return batch;
  }

  #run(domain: string, batch: readonly Address[]): void {
    const { engine, now, deadlineMs, onEvidence, onBug, signal } = this.#options;
    this.#running.add(domain);
    const report = (index: number, evidence: Evidence): void => {
      const address = batch[index];
      if (address !== undefined) onEvidence(address, evidence);
    };
    engine
      .probe({ account: ACCOUNT, recipients: batch, signal, deadlineMs: now() + deadlineMs, report })
      .catch(onBug)
      .finally(() => {
        this.#running.delete(domain);
        this.start();
        this.#change();
      });
    this.#change();
  }

  #hold(output: Promise<void>): void {
    this.#held = true;
    void output.finally(() => {
      this.#held = false;
      this.start();
      this.#change();
    });
  }

  #changed(): Promise<void> {
    const { signal } = this.#options;
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        this.#wake = null;
        resolve();
      };
      this.#wake = wake;
      if (!signal.aborted) signal.addEventListener('abort', wake);
    });
  }

  #change(): void {
    this.#wake?.();
  }
}
