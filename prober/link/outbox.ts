import { LINK_VERSION, type ToEdge } from '../../schema/link.ts';
import type { Clock } from '../engine/ports/ports.ts';
import { evidenceFrames, type RowNumbers } from './evidence-frames.ts';
import type { Job } from './jobs.ts';

const v = LINK_VERSION;

export type OutboxDeps = {
  readonly send: (frame: ToEdge) => void;
  readonly clock: Clock;
  readonly gatherMs: number;
};

/** Sends the news of jobs over one connection: the first at once, what follows closely in groups. */
export class Outbox {
  readonly #deps: OutboxDeps;
  /** How many items of a job were sent, and which MX rows. */
  readonly #sent = new Map<Job, { items: number; at: number; rows: RowNumbers }>();
  readonly #news = new Set<Job>();
  #flushedAt = Number.NEGATIVE_INFINITY;
  #scheduled = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  add(job: Job): void {
    this.#news.add(job);
    if (this.#scheduled) return;
    this.#scheduled = true;
    const waitMs = this.#flushedAt + this.#deps.gatherMs - this.#deps.clock.now();
    if (waitMs <= 0) queueMicrotask(() => this.#flush());
    else this.#deps.clock.after(waitMs, () => this.#flush());
  }

  /** Sends everything of a job again, from the first address. */
  again(job: Job): void {
    this.#sent.delete(job);
    this.add(job);
  }

  /** Reports that quiet jobs are still running. */
  alive(jobs: readonly Job[], quietMs: number): void {
    const now = this.#deps.clock.now();
    for (const job of jobs) {
      const sent = this.#sent.get(job);
      if (job.state !== 'running' || (sent !== undefined && now - sent.at < quietMs)) continue;
      this.#deps.send({ v, type: 'alive', job: job.id });
    }
  }

  get empty(): boolean {
    return this.#news.size === 0;
  }

  #flush(): void {
    this.#scheduled = false;
    const now = this.#deps.clock.now();
    this.#flushedAt = now;
    for (const job of this.#news) this.#sendNews(job, now);
    this.#news.clear();
  }

  #sendNews(job: Job, now: number): void {
    const { items: from, rows } = this.#sent.get(job) ?? { items: 0, rows: new Map<string, number>() };
    for (const frame of evidenceFrames(job.id, job.items.slice(from), rows)) this.#deps.send(frame);
    if (job.state === 'running') this.#sent.set(job, { items: job.items.length, at: now, rows });
    else {
      this.#sent.delete(job);
      if (job.state === 'ended' && job.items.length < job.size) this.#deps.send({ v, type: 'done', job: job.id });
    }
  }
}
