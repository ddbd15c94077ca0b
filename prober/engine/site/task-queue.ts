import type { Lane } from '../ports/lane.ts';
import type { Task, Worker } from './worker.ts';

/** `giveUp`: a worker waits for the limits for it, and this ends that wait. Null: it waits for room. */
type Waiting = { readonly task: Task; readonly giveUp: (() => void) | null };

/** One account's tasks that wait at a site, in order. */
export class TaskQueue {
  readonly #waiting: Waiting[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** It waits for the limits, and for any worker meanwhile. */
  push(task: Task, giveUp: () => void): void {
    this.#waiting.push({ task, giveUp });
  }

  /** Waits for room without its lane. @param onEnd its batch ends meanwhile */
  waitForRoom(task: Task, onEnd: () => void): void {
    const waiting: Waiting = { task, giveUp: null };
    laneOf(task)?.leave();
    this.#waiting.push(waiting);
    task.asker.signal.addEventListener('abort', () => {
      if (this.#waiting.includes(waiting) && this.remove(task)) onEnd();
    });
  }

  /** @returns whether it was still waiting */
  remove(task: Task): boolean {
    const at = this.#waiting.findIndex((one) => one.task === task);
    if (at < 0) return false;
    this.#waiting.splice(at, 1);
    laneOf(task)?.enter();
    return true;
  }

  /** The first that a worker may serve; whoever was to be hired for it is not. */
  takeFor(worker: Worker): Task | null {
    const next = this.#waiting.find(({ task }) => suits(task, worker));
    if (next === undefined) return null;
    this.remove(next.task);
    next.giveUp?.();
    return next.task;
  }

  /** The first that waits for room, preferably one that needs its own session. @param retry once a lane is free */
  takeForRoom(retry: () => void): Task | null {
    const ready = this.#waiting.filter(({ task, giveUp }) => giveUp === null && laneOf(task)?.isReady(retry) !== false);
    const next = ready.find(({ task }) => task.isOwn) ?? ready[0];
    if (next !== undefined) this.remove(next.task);
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
