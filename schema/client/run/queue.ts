import type { Entry } from '../list/entry.ts';
import type { OpenResult } from '../../words/result.ts';
import { Plan, type Room } from './plan.ts';
import { Shares } from './shares.ts';
import { Waiting } from './waiting.ts';

/** What is to be asked: planned for the next requests, or put off until later. */
export class Queue<Input> {
  readonly #plan = new Plan<Input>();
  readonly #waiting = new Waiting<Entry<Input>>();
  readonly #shares = new Shares();
  readonly #hasCeiling: boolean;

  /** @param hasCeiling nothing is asked twice while something was not asked once, unless there is no room to read on */
  constructor(hasCeiling: boolean) {
    this.#hasCeiling = hasCeiling;
  }

  get planned(): number {
    return this.#plan.size;
  }

  /** How many of the planned were never answered. */
  get firsts(): number {
    return this.#plan.firsts;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** When the first of those that were put off is due; infinity if none is. */
  get waitsUntilMs(): number {
    return this.#waiting.nextMs;
  }

  get isEmpty(): boolean {
    return this.#plan.size === 0 && this.#waiting.size === 0;
  }

  add(entry: Entry<Input>): void {
    this.#plan.add(entry);
  }

  putOff(entry: Entry<Input>, untilMs: number): void {
    this.#waiting.add(entry, untilMs);
  }

  /**
   * When the next that was put off may be planned; infinity if time alone does not decide.
   * @param isReading more of the list is to come soon
   */
  nextDueMs(isReading: boolean): number {
    const isBarred = this.#hasCeiling && (this.#plan.firsts > 0 || isReading);
    return isBarred ? Infinity : this.#waiting.nextMs;
  }

  /** Plans what may be by now. */
  planDue(nowMs: number, isReading: boolean): void {
    if (this.nextDueMs(isReading) > nowMs) return;
    for (const entry of this.#waiting.removeDue(nowMs)) this.#plan.add(entry);
  }

  /** Takes out what the next request asks; none if no domain has room before an answer. */
  nextChunk(room: Room): Entry<Input>[] {
    const chunk = this.#plan.nextChunk(room, (domain) => this.#shares.roomFor(domain));
    this.#shares.begin(chunk.map(({ domain }) => domain));
    return chunk;
  }

  /** A request with this chunk has ended, and learnt this. */
  noteEnd(chunk: readonly Entry<Input>[], heard: ReadonlyMap<Entry<Input>, OpenResult>, tookMs: number): void {
    const domains = chunk.map(({ domain }) => domain);
    this.#shares.end(domains, heard, tookMs);
  }

  /** Takes out everything. */
  drain(): Entry<Input>[] {
    return [...this.#plan.drain(), ...this.#waiting.removeDue(Infinity)];
  }
}
