import * as z from 'zod';
import { keepLatest } from '../../../schema/keep-latest.ts';
import { isLoop } from '../../../schema/words/fleet-troubles.ts';

// What an operator asks about an absent host: when it was last seen, why it was last refused, and how often it started.
// Kept beyond its links and beyond a reset of the object.

const refusalSchema = z.object({ atMs: z.number(), why: z.string() });
/** `by`: when its process started, by its own clock. */
const startSchema = z.object({ atMs: z.number(), by: z.number() });
const noteSchema = z.object({
  seenAtMs: z.number().nullable(),
  refusal: refusalSchema.nullable(),
  starts: z.array(startSchema).default([]),
});
export type HostNote = Readonly<z.infer<typeof noteSchema>>;

/** The same note is not written again within this time. */
const SAME_FOR_MS = 60_000;
/** The operator names the hosts; beyond this many, the oldest note is forgotten. */
const HOSTS_MAX = 1_000;
const PREFIX = 'host:';
const NOTHING: HostNote = { seenAtMs: null, refusal: null, starts: [] };
const STARTS_MAX = 20;

export type NoteStore = Pick<SyncKvStorage, 'list' | 'put' | 'delete'>;

export class HostNotes {
  readonly #store: NoteStore;
  /** The latest note comes last. */
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

  /** The host was not let in, or refused a job. */
  refused(host: string, why: string, nowMs: number): void {
    const { refusal } = this.of(host);
    if (refusal?.why === why && nowMs - refusal.atMs < SAME_FOR_MS) return;
    this.#write(host, { ...this.of(host), refusal: { atMs: nowMs, why } });
  }

  /** A process of the host said hello, for the first time or again. @returns whether this start begins a crash loop */
  started(host: string, by: number, nowMs: number): boolean {
    const note = this.of(host);
    if (note.starts.some((start) => start.by === by)) return false;
    const starts = [...note.starts, { atMs: nowMs, by }].slice(-STARTS_MAX);
    this.#write(host, { ...note, starts });
    const loops = ({ starts: some }: Pick<HostNote, 'starts'>): boolean =>
      isLoop(
        some.map(({ atMs }) => atMs),
        nowMs,
      );
    return loops({ starts }) && !loops(note);
  }

  of(host: string): HostNote {
    return this.#notes.get(host) ?? NOTHING;
  }

  all(): ReadonlyMap<string, HostNote> {
    return this.#notes;
  }

  #write(host: string, note: HostNote): void {
    const oldest = keepLatest(this.#notes, host, note, HOSTS_MAX);
    this.#store.put(PREFIX + host, note);
    if (oldest !== null) this.#store.delete(PREFIX + oldest);
  }
}
