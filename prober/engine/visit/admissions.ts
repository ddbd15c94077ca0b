import type { Session } from './session.ts';

/**
 * Whom of one batch a server has let in: that it turns another one away may be because of them. Of sessions that begin
 * together some may be turned away before the others are let in, so that is waited for.
 */
export class Admissions {
  readonly #letIn = new Set<Session>();
  #dialling = 0;
  #undecided: Array<() => void> = [];

  /** Sessions that were let in, or may yet be. */
  get size(): number {
    return this.#letIn.size + this.#dialling;
  }

  /** One is being dialled. It is let in, or fails. */
  dials(): void {
    this.#dialling += 1;
  }

  letsIn(session: Session): void {
    this.#letIn.add(session);
    this.#dialling -= 1;
    this.#decide();
  }

  /** Nothing came of one that was dialled. */
  failed(): void {
    this.#dialling -= 1;
    if (this.#dialling === 0) this.#decide();
  }

  /** A session has ended. One that was talked to early may not have been let in. */
  ended(session: Session): void {
    if (!this.#letIn.delete(session)) this.failed();
  }

  /** Whether there is one in there, as soon as that is known. */
  async anybody(): Promise<boolean> {
    if (this.#letIn.size === 0 && this.#dialling > 0)
      await new Promise<void>((resolve) => this.#undecided.push(resolve));
    return this.#letIn.size > 0;
  }

  #decide(): void {
    for (const decide of this.#undecided.splice(0)) decide();
  }
}
