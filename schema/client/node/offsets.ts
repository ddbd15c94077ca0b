import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

// Where the record of each place begins in a journal of any length: the pages that were used last in memory, all others in a
// file that has no name. A list is read in its order, so that a page is seldom fetched.

const ENTRIES = 8_192;
const ENTRY_BYTES = 8;
const PAGE_BYTES = ENTRIES * ENTRY_BYTES;
/** 4 MiB: half a million places. */
const PAGES_MOST = 64;

type Page = { readonly bytes: Buffer; isChanged: boolean };

export class Offsets {
  readonly #path: string;
  /** In the order of their use. */
  readonly #pages = new Map<number, Page>();
  readonly #stored = new Set<number>();
  #file: number | null = null;

  /** @param path of the file that is made, and removed, when it is needed */
  constructor(path: string) {
    this.#path = path;
  }

  /** @returns null: nothing is known of this place. @throws what the file system throws, as `set` does */
  get(index: number): number | null {
    const number = this.#pageOf(index).bytes.readDoubleLE((index % ENTRIES) * ENTRY_BYTES);
    return number === 0 ? null : number - 1;
  }

  set(index: number, offset: number): void {
    const page = this.#pageOf(index);
    page.bytes.writeDoubleLE(offset + 1, (index % ENTRIES) * ENTRY_BYTES);
    page.isChanged = true;
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    // Where a file that is open keeps its name.
    rmSync(this.#path, { force: true });
  }

  #pageOf(index: number): Page {
    const number = Math.floor(index / ENTRIES);
    const known = this.#pages.get(number);
    const page = known ?? this.#fetch(number);
    this.#pages.delete(number);
    this.#pages.set(number, page);
    if (known === undefined && this.#pages.size > PAGES_MOST) this.#store();
    return page;
  }

  #fetch(number: number): Page {
    const bytes = Buffer.alloc(PAGE_BYTES);
    if (this.#file !== null && this.#stored.has(number))
      readSync(this.#file, bytes, 0, PAGE_BYTES, number * PAGE_BYTES);
    return { bytes, isChanged: false };
  }

  /** The page that was not used for longest. */
  #store(): void {
    for (const [number, { bytes, isChanged }] of this.#pages) {
      if (isChanged) {
        writeSync(this.#opened(), bytes, 0, PAGE_BYTES, number * PAGE_BYTES);
        this.#stored.add(number);
      }
      this.#pages.delete(number);
      return;
    }
  }

  #opened(): number {
    if (this.#file !== null) return this.#file;
    this.#file = openSync(this.#path, 'w+', 0o600);
    try {
      rmSync(this.#path);
    } catch {
      // It is removed when it is closed.
    }
    return this.#file;
  }
}
