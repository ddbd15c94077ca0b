import type { Entry } from '../list/entry.ts';
import { isUnprobed, type OpenResult } from '../../words/result.ts';

/** What a request may hold unless the service says less: entries, and bytes of JSON. */
const ENTRIES_MAX = 500;
export const BODY_BYTES_MAX = 51_200;
/** `{"emails":[]}`; each entry brings a comma, one too many. */
const ENVELOPE_BYTES = 12;
/** Deferred addresses that fall due within this time of each other are asked together. */
const TOGETHER_MS = 5_000;

// The service asks the addresses of one domain one after the other and has 90 s for the request: 100 leave each of them
// 0.9 s, enough for an ordinary server with its pauses. Results then move that number for each domain.
const SHARE_FIRST = 100;
const SHARE_LEAST = 5;
const SHARE_MOST = 500;
/** After a request that took less, the next one may hold twice as many. */
const QUICK_MS = 20_000;
/** Domains remembered: the latest whose share has changed. */
const DOMAINS_MAX = 10_000;

/** What is to be asked: planned for the next requests by domain, or deferred until later. */
export class Queue<Input> {
  readonly #hasCeiling: boolean;
  /** Planned, in the order in which their domains came. */
  readonly #byDomain = new Map<string, Entry<Input>[]>();
  #planned = 0;
  #firsts = 0;
  /** Deferred, by the time at which they are due, rounded up. */
  readonly #due = new Map<number, Entry<Input>[]>();
  /** How many addresses of a domain a request may hold, if not as at first; and how many are in progress. */
  readonly #shares = new Map<string, number>();
  readonly #inProgress = new Map<string, number>();
  #entriesMax = ENTRIES_MAX;

  /** @param hasCeiling ask nothing twice while something was not asked once, unless there is no room to read on */
  constructor(hasCeiling: boolean) {
    this.#hasCeiling = hasCeiling;
  }

  get planned(): number {
    return this.#planned;
  }

  /** How many of the planned have no answer yet. */
  get firsts(): number {
    return this.#firsts;
  }

  get deferred(): number {
    return [...this.#due.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** When the first deferred address is due; infinity if there is none. */
  get deferredUntilMs(): number {
    let dueMs = Infinity;
    for (const atMs of this.#due.keys()) dueMs = Math.min(dueMs, atMs);
    return dueMs;
  }

  get isEmpty(): boolean {
    return this.#planned === 0 && this.#due.size === 0;
  }

  /** Whether a request could not hold more than is planned. */
  get isFull(): boolean {
    return this.#planned >= this.#entriesMax;
  }

  add(entry: Entry<Input>): void {
    addTo(this.#byDomain, entry.domain, entry);
    this.#count(entry, 1);
  }

  defer(entry: Entry<Input>, untilMs: number): void {
    const dueMs = Math.ceil(untilMs / TOGETHER_MS) * TOGETHER_MS;
    addTo(this.#due, dueMs, entry);
  }

  /**
   * When the next deferred address may be planned; infinity if time alone does not decide.
   * @param isReading more of the list is to come soon
   */
  nextDueMs(isReading: boolean): number {
    const isBarred = this.#hasCeiling && (this.#firsts > 0 || isReading);
    return isBarred ? Infinity : this.deferredUntilMs;
  }

  /** Plans the deferred addresses that may be asked by now. */
  planDue(nowMs: number, isReading: boolean): void {
    if (this.nextDueMs(isReading) > nowMs) return;
    for (const entry of this.#removeDue(nowMs)) this.add(entry);
  }

  /**
   * Takes out what the next request asks; nothing if no domain has room before an answer.
   * @param most entries that can be paid
   */
  nextChunk(most: number): Entry<Input>[] {
    const room = Math.min(this.#entriesMax, most);
    const taken: Entry<Input>[] = [];
    let bytes = ENVELOPE_BYTES;
    for (const [domain, entries] of this.#byDomain) {
      if (taken.length >= room) break;
      const share = Math.min(this.#roomFor(domain), room - taken.length);
      let count = 0;
      for (const entry of entries) {
        if (count >= share || (taken.length > 0 && bytes + entry.bytes > BODY_BYTES_MAX)) break;
        bytes += entry.bytes;
        count += 1;
        taken.push(entry);
        this.#count(entry, -1);
      }
      if (count === entries.length) this.#byDomain.delete(domain);
      else entries.splice(0, count);
    }
    for (const { domain } of taken) this.#inProgress.set(domain, (this.#inProgress.get(domain) ?? 0) + 1);
    return taken;
  }

  /** A request with this chunk has ended with these answers. */
  noteEnd(chunk: readonly Entry<Input>[], answers: ReadonlyMap<Entry<Input>, OpenResult>, tookMs: number): void {
    for (const { domain } of chunk) {
      const left = (this.#inProgress.get(domain) ?? 0) - 1;
      if (left > 0) this.#inProgress.set(domain, left);
      else this.#inProgress.delete(domain);
    }
    const unprobed = new Set<string>();
    const answered = new Map<string, number>();
    for (const [{ domain }, result] of answers) {
      answered.set(domain, (answered.get(domain) ?? 0) + 1);
      if (isUnprobed(result)) unprobed.add(domain);
    }
    for (const [domain, count] of answered) {
      const share = this.#shares.get(domain) ?? SHARE_FIRST;
      if (unprobed.has(domain)) this.#setShare(domain, Math.max(SHARE_LEAST, Math.floor(share / 2)));
      else if (tookMs < QUICK_MS && count >= share) this.#setShare(domain, Math.min(SHARE_MOST, share * 2));
    }
  }

  /** After a request that was too large for the service, the next ones hold half as many entries. */
  shrink(entries: number): void {
    this.#entriesMax = Math.min(this.#entriesMax, Math.ceil(entries / 2));
  }

  /** Takes out everything. */
  drain(): Entry<Input>[] {
    const all = [...this.#byDomain.values()].flat();
    this.#byDomain.clear();
    this.#planned = 0;
    this.#firsts = 0;
    return [...all, ...this.#removeDue(Infinity)];
  }

  /** How many more of this domain may be sent now. A slow domain is in one request at a time. */
  #roomFor(domain: string): number {
    const share = this.#shares.get(domain) ?? SHARE_FIRST;
    return share < SHARE_FIRST && this.#inProgress.has(domain) ? 0 : share;
  }

  #setShare(domain: string, share: number): void {
    this.#shares.delete(domain);
    this.#shares.set(domain, share);
    const [oldest] = this.#shares.keys();
    if (this.#shares.size > DOMAINS_MAX && oldest !== undefined) this.#shares.delete(oldest);
  }

  #removeDue(nowMs: number): Entry<Input>[] {
    const taken = [...this.#due].filter(([atMs]) => atMs <= nowMs);
    for (const [atMs] of taken) this.#due.delete(atMs);
    return taken.flatMap(([, each]) => each);
  }

  #count(entry: Entry<Input>, by: 1 | -1): void {
    this.#planned += by;
    if (entry.result === null) this.#firsts += by;
  }
}

function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const others = map.get(key);
  if (others === undefined) map.set(key, [value]);
  else others.push(value);
}
