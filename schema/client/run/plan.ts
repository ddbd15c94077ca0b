import type { Entry } from '../list/entry.ts';

/** What one request may hold. */
export type Room = { readonly entries: number; readonly bytes: number };

/** `{"emails":[]}`; each entry brings a comma, one too many. */
const ENVELOPE_BYTES = 12;

/** Entries that are to be asked, by domain, in the order in which their domains came. */
export class Plan<Input> {
  readonly #byDomain = new Map<string, Entry<Input>[]>();
  #size = 0;
  #firsts = 0;

  get size(): number {
    return this.#size;
  }

  /** How many of them were never answered. */
  get firsts(): number {
    return this.#firsts;
  }

  add(entry: Entry<Input>): void {
    const others = this.#byDomain.get(entry.domain);
    if (others === undefined) this.#byDomain.set(entry.domain, [entry]);
    else others.push(entry);
    this.#count(entry, 1);
  }

  /**
   * Takes out what the next request asks.
   * @param roomFor how many of a domain it may hold
   * @returns none if no domain has room
   */
  nextChunk(room: Room, roomFor: (domain: string) => number): Entry<Input>[] {
    const taken: Entry<Input>[] = [];
    let bytes = ENVELOPE_BYTES;
    for (const [domain, entries] of this.#byDomain) {
      if (taken.length >= room.entries) break;
      const most = Math.min(roomFor(domain), room.entries - taken.length);
      let count = 0;
      for (const entry of entries) {
        // One that no request could hold goes alone, and is told so.
        if (count >= most || (taken.length > 0 && bytes + entry.bytes > room.bytes)) break;
        bytes += entry.bytes;
        count += 1;
        taken.push(entry);
        this.#count(entry, -1);
      }
      if (count === entries.length) this.#byDomain.delete(domain);
      else entries.splice(0, count);
    }
    return taken;
  }

  /** Takes out everything. */
  drain(): Entry<Input>[] {
    const all = [...this.#byDomain.values()].flat();
    this.#byDomain.clear();
    this.#size = 0;
    this.#firsts = 0;
    return all;
  }

  #count(entry: Entry<Input>, by: 1 | -1): void {
    this.#size += by;
    if (entry.result === null) this.#firsts += by;
  }
}
