import type { Lane } from '../ports/lane.ts';
import type { Clock } from '../ports/ports.ts';
import type { Task, Worker } from './worker.ts';

export type Waiting = {
  readonly task: Task;
  readonly sinceMs: number;
  /** It has a worker that waits for the limits: ends that wait. Null: it waits for room. */
  giveUp: (() => void) | null;
};

/** One account's tasks that wait at a site, in order. */
export class TaskQueue {
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  entryFor(task: Task): Waiting {
    return { task, sinceMs: this.#clock.now(), giveUp: null };
  }

  /** It waits for the limits, and for any worker meanwhile. */
  push(waiting: Waiting, giveUp: () => void): void {
    waiting.giveUp = giveUp;
    this.#waiting.push(waiting);
  }

  /** Waits for room without its lane. @param onEnd its batch ends meanwhile */
  waitForRoom(waiting: Waiting, onEnd: () => void): void {
    const { task } = waiting;
    laneOf(task)?.leave();
    this.#waiting.push(waiting);
    task.asker.signal.addEventListener('abort', () => {
      if (waiting.giveUp === null && this.remove(waiting)) onEnd();
    });
  }

  /** @returns whether it was still waiting */
  remove(waiting: Waiting): boolean {
    const at = this.#waiting.indexOf(waiting);
    if (at < 0) return false;
    this.#waiting.splice(at, 1);
    laneOf(waiting.task)?.enter();
    return true;
  }

  /** The first that a worker may serve; whoever was to be hired for it is not. */
  takeFor(worker: Worker): Task | null {
    const next = this.#waiting.find(({ task }) => suits(task, worker));
    if (next === undefined) return null;
    this.remove(next);
    next.giveUp?.();
    return next.task;
  }

  /** The first that waits for room, preferably one that needs its own session. @param retry once a lane is free */
  takeForRoom(retry: () => void): Task | null {
    let next: Waiting | null = null;
    for (const waiting of this.#waiting) {
      const { isOwn } = waiting.task;
      if (waiting.giveUp !== null || (next !== null && !isOwn)) continue;
      if (laneOf(waiting.task)?.isReady(retry) === false) continue;
      next = waiting;
      if (isOwn) break;
    }
    if (next !== null) this.remove(next);
    return next?.task ?? null;
  }
}

export function suits(task: Task, { held }: Worker): boolean {
  return !task.isOwn && !task.had.includes(held.session);
}

/** Given back while it waits; a session that helps another has no lane of its own. */
export function laneOf({ asker, helps }: Task): Lane | undefined {
  return helps === null ? asker.lane : undefined;
}
