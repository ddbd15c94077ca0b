import type { Permit } from '../limits/permit.ts';
import type { Session } from '../smtp/session.ts';
import type { Failed } from '../smtp/failure.ts';
import type { Target } from '../targets/targets.ts';
import type { Asker } from './open.ts';

/** Something to be asked in one session for one domain. */
export type Task = {
  readonly asker: Asker;
  readonly target: Target;
  /** A session must open within this time; another server is asked then. */
  readonly patienceMs: number;
  /** It needs a session that has served no other domain. */
  readonly isOwn: boolean;
  /** For a second session of a domain whose first one has its lane: whether recipients are left for it. */
  readonly helps: { readonly isNeeded: () => boolean } | null;
  /** Sessions in which the domain was asked about: none of them again. */
  readonly had: readonly Session[];
  /** Asks, in a session that is its own until then. Never fails. */
  ask(held: Held): Promise<Asked>;
  /** No session could be had. */
  fail(none: Failed): void;
  /** A bug kept it from a session. */
  crash(error: unknown): void;
};

export type Held = {
  readonly kind: 'open';
  readonly session: Session;
  readonly permit: Permit;
};

/**
 * What becomes of a session. `hand_on`: it is open and may serve another domain. `quit`: QUIT is sent, and nothing more
 * is read. `destroy`: its socket is freed. `over`: it has been closed already.
 */
export type Fate = 'hand_on' | 'quit' | 'destroy' | 'over';

/** `goOn`: called once the worker has parted from the task: another may follow. */
export type Asked = { readonly fate: Fate; readonly goOn: () => void };

/** Where its tasks come from. */
type Employer = {
  /** The next task for a session, or none: then it may be kept, or must end. */
  nextFor(worker: Worker): Task | 'idle' | 'none';
  ended(): void;
};

/** A connection of one account: it does one task after the other, waits idle for a while, and ends. */
export class Worker {
  readonly held: Held;
  readonly employer: Employer;

  constructor(held: Held, employer: Employer) {
    this.held = held;
    this.employer = employer;
  }

  async serve(first: Task): Promise<void> {
    const { session } = this.held;
    for (let task = first; ;) {
      session.connection.serve(task.asker.signal);
      const { fate, goOn } = await task.ask(this.held);
      const next = fate === 'hand_on' ? this.#next() : 'none';
      if (next === 'none') this.end(fate === 'hand_on' ? 'quit' : fate);
      goOn();
      if (next === 'none' || next === 'idle') return;
      task = next;
    }
  }

  #next(): Task | 'idle' | 'none' {
    this.held.session.turn += 1;
    return this.employer.nextFor(this);
  }

  /** Its connection ends. How its tasks went is reported before. */
  end(fate: Exclude<Fate, 'hand_on'>): void {
    const { session, permit } = this.held;
    if (fate === 'destroy') session.connection.destroy();
    else if (fate !== 'over') session.connection.quit();
    permit.end();
    this.employer.ended();
  }
}
