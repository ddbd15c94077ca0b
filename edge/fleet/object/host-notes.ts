import * as z from 'zod';

// What an operator asks about a host that is not there: when it was last seen, and why it was last refused. It outlives
// its links and the object.

const refusalSchema = z.object({ atMs: z.number(), why: z.string() });
const noteSchema = z.object({ seenAtMs: z.number().nullable(), refusal: refusalSchema.nullable() });
export type HostNote = Readonly<z.infer<typeof noteSchema>>;

/** The same note is not written again within this time. */
const SAME_FOR_MS = 60_000;
/** Hosts are the operator's to name; beyond this the one noted longest ago is forgotten. */
const HOSTS_MAX = 1_000;
const PREFIX = 'host:';
const NOTHING: HostNote = { seenAtMs: null, refusal: null };

export type NoteStore = Pick<SyncKvStorage, 'list' | 'put' | 'delete'>;

export class HostNotes {
  readonly #store: NoteStore;
  /** The one noted last at the end. */
  readonly #notes = new Map<string, HostNote>();

  constructor(store: NoteStore) {
    this.#store = store;
    for (const [key, value] of store.list({ prefix: PREFIX })) {
      const note = noteSchema.safeParse(value);
      if (note.success) this.#notes.set(key.slice(PREFIX.length), note.data);
    }
  }

  /** The host's link has ended. */
  seen(host: string, nowMs: number): void {
    this.#write(host, { ...this.of(host), seenAtMs: nowMs });
  }

  /** The host was not let in, or would not take a job. */
  refused(host: string, why: string, nowMs: number): void {
    const { refusal } = this.of(host);
    if (refusal?.why === why && nowMs - refusal.atMs < SAME_FOR_MS) return;
    this.#write(host, { ...this.of(host), refusal: { atMs: nowMs, why } });
  }

  of(host: string): HostNote {
    return this.#notes.get(host) ?? NOTHING;
  }

  all(): ReadonlyMap<string, HostNote> {
    return this.#notes;
  }

  #write(host: string, note: HostNote): void {
    this.#notes.delete(host);
    this.#notes.set(host, note);
    this.#store.put(PREFIX + host, note);
    for (const [oldest] of this.#notes) {
      if (this.#notes.size <= HOSTS_MAX) break;
      this.#notes.delete(oldest);
      this.#store.delete(PREFIX + oldest);
    }
  }
}
