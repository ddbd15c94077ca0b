import type { Journal, JournalRecord } from '../journal/journal.ts';
import type { JournalRequest } from '../journal/requests.ts';
import { isUnprobed } from '../../words/result.ts';
import type { Sender } from './sender.ts';

/** Requests that an earlier run was cut off in: they are repeated under their keys, and what they learn is kept. */
export class Recovery {
  readonly #journal: Journal;
  readonly #sender: Sender;
  readonly #wallMs: () => number;
  /** By place of the list: when its request has ended, and what that has learnt. */
  readonly #underWay = new Map<number, Promise<void>>();
  readonly #records = new Map<number, JournalRecord>();
  readonly #work: Promise<void>[] = [];
  #left = 0;

  constructor(journal: Journal, sender: Sender, wallMs: () => number) {
    this.#journal = journal;
    this.#sender = sender;
    this.#wallMs = wallMs;
  }

  get isIdle(): boolean {
    return this.#left === 0;
  }

  /** @param onEnd called for each, with what went wrong or null */
  begin(requests: readonly JournalRequest[], onEnd: (error: unknown) => void): void {
    for (const request of requests) {
      this.#left += 1;
      const ended = this.#recover(request, onEnd);
      this.#work.push(ended);
      for (const { index } of request.entries) this.#underWay.set(index, ended);
    }
  }

  /** What is known of a place, once no request of an earlier run is under way for it. */
  async known(index: number): Promise<JournalRecord | null> {
    await this.#underWay.get(index);
    return this.#records.get(index) ?? this.#journal.known(index);
  }

  /** Resolves when nothing is under way: to be called after the sender was stopped. */
  async end(): Promise<void> {
    await Promise.all(this.#work);
  }

  async #recover(request: JournalRequest, onEnd: (error: unknown) => void): Promise<void> {
    let failure: unknown = null;
    try {
      await this.#repeat(request);
    } catch (error) {
      failure = error;
    }
    this.#left -= 1;
    onEnd(failure);
  }

  /** @throws what ends the run */
  async #repeat(request: JournalRequest): Promise<void> {
    const { entries } = request;
    const before = await Promise.all(entries.map(({ index }) => this.#journal.known(index)));
    // Some of them were answered before it was cut off.
    const isOpen = (place: number): boolean => (before[place]?.asked ?? 0) <= (entries[place]?.asked ?? 0);
    const open = new Set([...entries.keys()].filter(isOpen));
    const outcome = await this.#sender.send({
      request,
      open,
      isRepeat: true,
      hear: async (place, result) => {
        const entry = entries[place];
        if (entry === undefined) return;
        const known = before[place]?.result;
        const better = known !== undefined && isUnprobed(result) ? known : result;
        const record = { index: entry.index, asked: entry.asked + 1, atMs: this.#wallMs(), result: better };
        await this.#journal.append(record);
        this.#records.set(entry.index, record);
      },
    });
    if (outcome.kind !== 'done' && outcome.error !== null) throw outcome.error;
  }
}
