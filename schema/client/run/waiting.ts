/** Those that fall due within so much of each other are asked together. */
const TOGETHER_MS = 5_000;

/** What is to be done again later, none of it too early. */
export class Waiting<Thing> {
  readonly #due = new Map<number, Thing[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** When the next are due; infinity if none is waiting. */
  get nextMs(): number {
    return Math.min(Infinity, ...this.#due.keys());
  }

  add(thing: Thing, dueMs: number): void {
    const atMs = Math.ceil(dueMs / TOGETHER_MS) * TOGETHER_MS;
    const others = this.#due.get(atMs);
    if (others === undefined) this.#due.set(atMs, [thing]);
    else others.push(thing);
    this.#size += 1;
  }

  /** Takes out those that are due by now; with infinity, all. */
  removeDue(nowMs: number): Thing[] {
    const taken: Thing[] = [];
    for (const [atMs, things] of this.#due) {
      if (atMs > nowMs) continue;
      this.#due.delete(atMs);
      for (const thing of things) taken.push(thing);
    }
    this.#size -= taken.length;
    return taken;
  }
}
