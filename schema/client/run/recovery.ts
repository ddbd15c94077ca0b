import type { Journal, JournalRecord } from '../journal/journal.ts';
import type { JournalRequest, RequestEntry } from '../journal/requests.ts';
import { isUnprobed, type OpenResult } from '../../words/result.ts';
import { Bell } from './bell.ts';
import type { Sender } from './sender.ts';

/** Requests that an earlier run was cut off in: they are repeated under their keys, and what they learn is kept. */
export class Recovery {
  readonly #journal: Journal;
  readonly #sender: Sender;
  readonly #wallMs: () => number;
  /** Places of the list that are being asked for, and what those that were have learnt. */
  readonly #open = new Set<number>();
  readonly #records = new Map<number, JournalRecord>();
  readonly #bell = new Bell();
  #underWay = 0;

  constructor(journal: Journal, sender: Sender, wallMs: () => number) {
    this.#journal = journal;
    this.#sender = sender;
    this.#wallMs = wallMs;
  }

  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  /** Whether a request of an earlier run is to answer this place. */
  isOpen(index: number): boolean {
    return this.#open.has(index);
  }

  /** @param onEnd called for each, with what went wrong or null */
  begin(requests: readonly JournalRequest[], onEnd: (error: unknown) => void): void {
    this.#underWay = requests.length;
    for (const { entries } of requests) for (const { index } of entries) this.#open.add(index);
    for (const request of requests) void this.#recover(request, onEnd);
  }

  /** What is known of a place, once no request of an earlier run is to answer it. */
  async known(index: number): Promise<JournalRecord | null> {
    while (this.#open.has(index)) await this.#bell.rung();
    return this.#records.get(index) ?? this.#journal.known(index);
  }

  /** Resolves when nothing is under way: to be called after the sender was stopped. */
  async end(): Promise<void> {
    while (this.#underWay > 0) await this.#bell.rung();
  }

  async #recover(request: JournalRequest, onEnd: (error: unknown) => void): Promise<void> {
    let failure: unknown = null;
    try {
      await this.#repeat(request);
    } catch (error) {
      failure = error;
    }
    this.#underWay -= 1;
    // Told first: nobody may take a place of it for one that was never asked.
    onEnd(failure);
    for (const { index } of request.entries) this.#open.delete(index);
    this.#bell.ring();
  }

  /** @throws what ends the run */
  async #repeat(request: JournalRequest): Promise<void> {
    const { entries } = request;
    const before = await Promise.all(entries.map(({ index }) => this.#journal.known(index)));
    // Some of them were answered before it was cut off.
    const isUnanswered = (place: number): boolean => (before[place]?.asked ?? 0) <= (entries[place]?.asked ?? 0);
    const open = new Set([...entries.keys()].filter(isUnanswered));
    for (const [place, { index }] of entries.entries()) if (!open.has(place)) this.#open.delete(index);
    this.#bell.ring();
    const outcome = await this.#sender.send({
      request,
      open,
      isRepeat: true,
      hear: async (place, result) => {
        const entry = entries[place];
        if (entry !== undefined) await this.#keep(entry, before[place]?.result ?? null, result);
      },
    });
    // One that was never charged is asked anew, in requests that the service takes.
    if (outcome.kind !== 'done' && outcome.kind !== 'free' && outcome.error !== null) throw outcome.error;
  }

  async #keep({ index, asked }: RequestEntry, known: OpenResult | null, heard: OpenResult): Promise<void> {
    const result = known !== null && isUnprobed(heard) ? known : heard;
    const record = { index, asked: asked + 1, atMs: this.#wallMs(), result };
    await this.#journal.append(record);
    this.#records.set(index, record);
    this.#open.delete(index);
    this.#bell.ring();
  }
}
