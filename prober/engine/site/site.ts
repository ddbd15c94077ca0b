import type { ClientContext } from './client-context.ts';
import type { LimitDecision } from '../limits/connection-limits.ts';
import type { Account } from '../ports/ports.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import { type Failed, failed } from '../smtp/failure.ts';
import type { IdleWorkers } from './idle-workers.ts';
import { knownFailure, openInLane, turnedAway } from './open.ts';
import { SessionBudget } from '../smtp/session-budget.ts';
import { laneOf, suits, TaskQueue } from './task-queue.ts';
import { type Held, type Task, Worker } from './worker.ts';

// Thousands of domains share a mail host, and callers return. All domains of one account, from all its batches, queue
// here with what they have to ask; workers with a connection each serve them, one transaction a domain. Only a listed
// provider's hosts are kept apart: they have limits of their own.
//
//     task ─► an idle worker                                   ─┐
//          ─► a new one; while it waits for the limits, one     ├─► asked ─► the worker takes the next task
//             that has finished another task                    │        ─► is kept idle for a while
//          ─► fails: no session could be had                    │        ─► ends
//
// One domain's trouble is never another's evidence: see `attempt/next-step.ts`.

/** With this many workers of one account at one address, a task waits for one of them. */
const WORKERS_MAX = 8;
/** How long a worker is kept for a domain that may follow: as Postfix does, and at listed providers. */
const IDLE_MS = 2_000;
const IDLE_AT_PROVIDER_MS = 5_000;
/** Recipients that must be left for another domain: its own mailbox and the made-up one. */
const RECIPIENTS_MIN = 2;

export type SiteOptions = {
  readonly account: Account;
  readonly provider: ProviderLimits | null;
  /** When what is known of the server expires, in the clock's milliseconds: no worker is kept idle beyond it. */
  readonly untilMs: number;
  readonly idle: IdleWorkers;
  /** No domain uses it, and it has no worker. */
  readonly onUnused: () => void;
};

/** One account's tasks at one dialled address. */
export class Site {
  /** The budget of a session there, as learnt from all domains. */
  readonly budget: SessionBudget;
  takesGroups = true;
  readonly #context: ClientContext;
  readonly #of: SiteOptions;
  readonly #queue = new TaskQueue();
  readonly #opening: Promise<unknown>[] = [];
  #domains = 0;
  #workers = 0;

  constructor(context: ClientContext, of: SiteOptions) {
    this.budget = new SessionBudget(context.settings.budgets, of.provider?.recipients ?? null);
    this.#context = context;
    this.#of = of;
  }

  get untilMs(): number {
    return this.#of.untilMs;
  }

  /** As many domains as workers: none gets a second one because the server makes it wait. */
  get isCrowded(): boolean {
    return this.#domains >= WORKERS_MAX;
  }

  arrive(): void {
    this.#domains += 1;
  }

  /** A domain that arrived has no more tasks. */
  leave(): void {
    this.#domains -= 1;
    this.#noteUse();
  }

  /** Gives a task to a worker, or lets it wait for one; its domain's lane is given back meanwhile. */
  add(task: Task): void {
    const { signal } = task.asker;
    if (signal.aborted) return task.fail(ENDED);
    const worker = this.#takeIdle(task);
    if (worker !== null) return void worker.serve(task);
    if (this.#workers < WORKERS_MAX) void this.#hire(task);
    else this.#queue.waitForRoom(task, () => task.fail(ENDED));
  }

  /** What a worker does after a task that left its session open. */
  nextFor(worker: Worker): Task | 'idle' | 'none' {
    const { permit } = worker.held;
    if (!this.#isUsable(worker.held) || permit.isDue()) return 'none';
    const next = this.#queue.takeFor(worker);
    if (next !== null) return next;
    // A domain that waits only for room would wait for as long as this one is idle.
    const idleMs = this.#of.provider === null ? IDLE_MS : IDLE_AT_PROVIDER_MS;
    const leftMs = Math.min(idleMs, this.untilMs - this.#now);
    if (leftMs <= 0 || !this.#queue.isEmpty || permit.isWanted()) return 'none';
    this.#of.idle.keep(worker, leftMs);
    return 'idle';
  }

  /** A worker has ended, or could not be had: a waiting task gets a new one, preferably one that needs its own. */
  ended(): void {
    this.#workers -= 1;
    this.#hireMore();
    this.#noteUse();
  }

  get #now(): number {
    return this.#context.ports.clock.now();
  }

  async #hire(task: Task): Promise<void> {
    this.#workers += 1;
    const opened = await this.#open(task).catch((error: unknown) => ({ kind: 'bug', error }) as const);
    if (opened.kind === 'open') return new Worker(opened, this).serve(task);
    this.ended();
    if (opened.kind === 'bug') task.crash(opened.error);
    else if (opened.kind !== 'taken') task.fail(opened);
  }

  /** Opens a session for a task, unless a worker takes the task while this waits for the limits. */
  async #open(task: Task): Promise<Held | Failed | typeof TAKEN> {
    const met = knownFailure(task);
    if (met !== null) return met;
    if (!isNeeded(task)) return ENDED;
    const sinceMs = this.#now;
    const asked = this.#admit(task);
    const decision = await asked;
    const isTaken = asked instanceof Promise && !this.#queue.remove(task);
    if (decision.kind !== 'go') {
      if (isTaken) return TAKEN;
      // Whether the server refuses everyone shows once those dialled together have been answered.
      if (decision.kind === 'cooling') await Promise.allSettled(this.#opening);
      return turnedAway(decision, task);
    }
    const { permit } = decision;
    let isOpen = false;
    try {
      if (isTaken) return TAKEN;
      if (!isNeeded(task)) return ENDED;
      this.#context.settings.observer?.waitedForLimits(permit.seat.provider, this.#now - sinceMs);
      const opening = openInLane(this.#context, task, permit);
      this.#opening.push(opening);
      const opened = await opening.finally(() => this.#opening.splice(this.#opening.indexOf(opening), 1));
      isOpen = opened.kind === 'open';
      return opened;
    } finally {
      if (!isOpen) permit.release('neutral');
    }
  }

  /** Asks the limits. While it waits, a worker that is done with another task will do as well: then nothing is dialled. */
  #admit(task: Task): LimitDecision | Promise<LimitDecision> {
    const { asker, target } = task;
    const { account, deadlineMs } = asker.job;
    return this.#context.limits.acquire(
      {
        account,
        domain: asker.domain,
        lot: asker.draws('egress')(),
        provider: this.#of.provider,
        ip: target.ip,
        family: target.family,
        isOwn: target.isOwn,
        // An open session may serve it before a new one could start.
        deadlineMs: !task.isOwn && this.#workers > 1 ? Infinity : deadlineMs,
        signal: asker.signal,
        lane: laneOf(task),
      },
      (giveUp) => this.#queue.push(task, giveUp),
    );
  }

  #takeIdle(task: Task): Worker | null {
    const { idle } = this.#of;
    for (const worker of idle.of(this)) {
      if (this.#isUsable(worker.held) && suits(task, worker)) {
        idle.take(worker);
        return worker;
      }
      // One that may not serve it makes room: for the next of its domain, or for a session of its own.
      if (!this.#isUsable(worker.held) || task.had.includes(worker.held.session) || this.#workers >= WORKERS_MAX)
        idle.end(worker);
    }
    return null;
  }

  /** Its server may be asked now, and there is room for another domain. */
  #isUsable({ session: { asked, connection }, permit }: Held): boolean {
    return (
      !connection.isOver &&
      this.budget.refusalsMax > asked.refusals &&
      this.budget.recipientsMax - asked.recipients >= RECIPIENTS_MIN &&
      !permit.isCooling() &&
      permit.unknown.waitS(permit.account) === 0
    );
  }

  readonly #hireMore = (): void => {
    while (this.#workers < WORKERS_MAX) {
      const next = this.#queue.takeForRoom(this.#hireMore);
      if (next === null) return;
      void this.#hire(next);
    }
  };

  #noteUse(): void {
    if (this.#domains === 0 && this.#workers === 0) this.#of.onUnused();
  }
}

const TAKEN = { kind: 'taken' } as const;
const ENDED = failed('limits', 'ended', null);

/** The session that it helps, if any, still has recipients for it. */
function isNeeded({ helps }: Task): boolean {
  return helps?.isNeeded() !== false;
}
