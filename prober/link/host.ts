import type { Cooling, Engine } from '../engine/batch.ts';
import type { Clock, Random } from '../engine/ports/ports.ts';
import type { Log } from '../log.ts';
import type { Connect } from './connect.ts';
import type { Identity } from './identity.ts';
import { Jobs, type Trust } from './jobs.ts';
import { type HostStatus, Link } from './link.ts';
import type { LinkTimings } from './timings.ts';

/** Beyond the deadline of its last job a draining host waits for nothing. */
const DRAIN_GRACE_MS = 1_500;

export type HostDeps = {
  readonly identity: Identity;
  readonly connect: Connect;
  readonly egress: readonly string[];
  readonly routes: boolean;
  readonly version?: string;
  readonly engine: Engine & Partial<Cooling>;
  readonly trust: Trust & Pick<HostStatus, 'healthy' | 'checked' | 'failing'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly wallClock: () => number;
  readonly timings: LinkTimings;
  readonly log: Log;
  readonly onFatal: (hint: string) => void;
};

/** One probe host: its jobs, and a link to every Fleet object. */
export class Host {
  readonly #deps: HostDeps;
  readonly #jobs: Jobs;
  readonly #links: readonly Link[];
  #draining = false;
  #drained: () => void = () => {};

  constructor(deps: HostDeps) {
    this.#deps = deps;
    const { engine, clock, trust, log } = deps;
    this.#jobs = new Jobs({ engine, clock, trust, log, onCount: () => this.#counted() });
    const onFlush = (): void => this.#checkDrained();
    this.#links = Array.from(
      { length: deps.identity.shards },
      (_, shard) => new Link(shard, { ...deps, jobs: this.#jobs, status: () => this.#status(), onFlush }),
    );
  }

  open(): void {
    for (const link of this.#links) link.open();
  }

  /** The self-check has changed its mind. */
  healthChanged(): void {
    this.#tell(true);
  }

  /** Takes no new jobs, lets the running ones finish and their evidence go out, and ends the links. */
  async drain(): Promise<void> {
    const { clock } = this.#deps;
    this.#draining = true;
    this.#tell(true);
    if (!this.#isDone) {
      const now = clock.now();
      const lastMs = this.#jobs.lastDeadlineMs ?? now;
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
        clock.after(lastMs + DRAIN_GRACE_MS - now, resolve);
      });
    }
    await Promise.all(this.#links.map((link) => link.close()));
  }

  #status(): HostStatus {
    const { engine, trust } = this.#deps;
    return {
      draining: this.#draining,
      healthy: trust.healthy,
      checked: trust.checked,
      failing: trust.failing,
      jobs: this.#jobs.running,
      cooling: engine.cooling?.() ?? 0,
    };
  }

  #counted(): void {
    this.#tell(false);
    this.#checkDrained();
  }

  #tell(urgent: boolean): void {
    for (const link of this.#links) link.tellStatus(urgent);
  }

  /** All jobs have ended and every link has sent what it had to. A link that is down may come back until the deadline. */
  get #isDone(): boolean {
    return this.#jobs.running === 0 && this.#links.every((link) => link.flushed);
  }

  #checkDrained(): void {
    if (this.#draining && this.#isDone) this.#drained();
  }
}
