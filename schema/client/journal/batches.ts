/**
 * Writes one batch at a time: what comes while one is being written goes along with the next. After a batch that
 * failed nothing more is written, because nobody knows what stands where it would go.
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
