import type { Entry } from '../list/entry.ts';
import { isUnprobed, type OpenResult } from '../../words/result.ts';

/** What one request may hold. */
export type Room = { readonly entries: number; readonly bytes: number };

/** `{"emails":[]}`; each entry brings a comma, one too many. */
const ENVELOPE_BYTES = 12;
/** Those that fall due within this time of each other are asked together. */
const TOGETHER_MS = 5_000;

// The service asks the addresses of one domain one after the other and has 90 s for the request: 100 leave each of them
// 0.9 s, which an ordinary server keeps with its refusals and pauses in. What the answers tell moves that number, for each
// domain by itself.
const SHARE_FIRST = 100;
const SHARE_LEAST = 5;
const SHARE_MOST = 500;
/** A request that took less leaves room for twice as many. */
const QUICK_MS = 20_000;
/** Domains remembered: those of the last answers that differed from the first guess. */
const DOMAINS_MAX = 10_000;

/** What is to be asked: planned for the next requests by domain, or put off until later. */
export class Queue<Input> {
  readonly #hasCeiling: boolean;
  /** Planned, in the order in which their domains came. */
  readonly #byDomain = new Map<string, Entry<Input>[]>();
  #planned = 0;
  #firsts = 0;
  /** Put off, by the time at which they are due; none too early. */
  readonly #due = new Map<number, Entry<Input>[]>();
  #waiting = 0;
  /** How many addresses of a domain one request may hold, where that is known, and how many are under way. */
  readonly #shares = new Map<string, number>();
  readonly #underWay = new Map<string, number>();

  /** @param hasCeiling nothing is asked twice while something was not asked once, unless there is no room to read on */
  constructor(hasCeiling: boolean) {
    this.#hasCeiling = hasCeiling;
  }

  get planned(): number {
    return this.#planned;
  }

  /** How many of the planned were never answered. */
  get firsts(): number {
    return this.#firsts;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** When the first of those that were put off is due; infinity if none is. */
  get waitsUntilMs(): number {
    return Math.min(Infinity, ...this.#due.keys());
  }

  get isEmpty(): boolean {
    return this.#planned === 0 && this.#waiting === 0;
  }

  add(entry: Entry<Input>): void {
    addTo(this.#byDomain, entry.domain, entry);
    this.#count(entry, 1);
  }

  putOff(entry: Entry<Input>, untilMs: number): void {
    addTo(this.#due, Math.ceil(untilMs / TOGETHER_MS) * TOGETHER_MS, entry);
    this.#waiting += 1;
  }

  /**
   * When the next that was put off may be planned; infinity if time alone does not decide.
   * @param isReading more of the list is to come soon
   */
  nextDueMs(isReading: boolean): number {
    const isBarred = this.#hasCeiling && (this.#firsts > 0 || isReading);
    return isBarred ? Infinity : this.waitsUntilMs;
  }

  /** Plans what may be by now. */
  planDue(nowMs: number, isReading: boolean): void {
    if (this.nextDueMs(isReading) > nowMs) return;
    for (const entry of this.#removeDue(nowMs)) this.add(entry);
  }

  /** Takes out what the next request asks; none if no domain has room before an answer. */
  nextChunk(room: Room): Entry<Input>[] {
    const taken: Entry<Input>[] = [];
    let bytes = ENVELOPE_BYTES;
    for (const [domain, entries] of this.#byDomain) {
      if (taken.length >= room.entries) break;
      const most = Math.min(this.#roomFor(domain), room.entries - taken.length);
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
    for (const { domain } of taken) this.#underWay.set(domain, (this.#underWay.get(domain) ?? 0) + 1);
    return taken;
  }

  /** A request with this chunk has ended, and learnt this. */
  noteEnd(chunk: readonly Entry<Input>[], learnt: ReadonlyMap<Entry<Input>, OpenResult>, tookMs: number): void {
    for (const { domain } of chunk) {
      const left = (this.#underWay.get(domain) ?? 0) - 1;
      if (left > 0) this.#underWay.set(domain, left);
      else this.#underWay.delete(domain);
    }
    const unprobed = new Set<string>();
    const answered = new Map<string, number>();
    for (const [{ domain }, result] of learnt) {
      answered.set(domain, (answered.get(domain) ?? 0) + 1);
      if (isUnprobed(result)) unprobed.add(domain);
    }
    for (const [domain, count] of answered) {
      const share = this.#shares.get(domain) ?? SHARE_FIRST;
      if (unprobed.has(domain)) this.#setShare(domain, Math.max(SHARE_LEAST, Math.floor(share / 2)));
      else if (tookMs < QUICK_MS && count >= share) this.#setShare(domain, Math.min(SHARE_MOST, share * 2));
    }
  }

  /** Takes out everything. */
  drain(): Entry<Input>[] {
    const all = [...this.#byDomain.values()].flat();
    this.#byDomain.clear();
    this.#planned = 0;
    this.#firsts = 0;
    return [...all, ...this.#removeDue(Infinity)];
  }

  /** How many more of this domain may be sent now. One that has been slow is in one request at a time. */
  #roomFor(domain: string): number {
    const share = this.#shares.get(domain) ?? SHARE_FIRST;
    return share < SHARE_FIRST && this.#underWay.has(domain) ? 0 : share;
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
    const entries = taken.flatMap(([, each]) => each);
    this.#waiting -= entries.length;
    return entries;
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
