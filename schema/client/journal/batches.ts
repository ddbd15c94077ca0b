/**
 * Writes one batch at a time: what is added meanwhile goes into the next one. After a failed batch nothing more is written,
 * because the end of the target is undefined.
 */
export class Batches<Thing> {
  readonly #write: (things: readonly Thing[]) => Promise<void>;
  #things: Thing[] = [];
  /** The batch that is being collected, and the one that is being written. */
  #next: Promise<void> | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(write: (things: readonly Thing[]) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when it is written. @throws what the write threw, or an earlier one */
  add(thing: Thing): Promise<void> {
    this.#things.push(thing);
    this.#next ??= this.#last.then(() => {
      const things = this.#things;
      this.#things = [];
      this.#next = null;
      this.#last = this.#write(things);
      return this.#last;
    });
    return this.#next;
  }

  /** Resolves when everything that was added is written or has failed. */
  async end(): Promise<void> {
    await (this.#next ?? this.#last).catch(() => {});
  }
}
