import type { Account, Clock } from '../ports/ports.ts';
import type { Height } from './scope-limit.ts';
import type { Place } from './fair-share.ts';

/** Visitors of one account on the same way: what stops the first stops all. */
export class Line<Visitor> {
  readonly account: Account;
  /** What they have to pass, from the widest, which everybody has to pass, to the narrowest. */
  readonly heights: Height<Line<Visitor>>[];
  readonly visitors = new Set<Visitor>();
  /** Where it is stopped. */
  standsAt: { readonly height: Height<Line<Visitor>>; readonly place: Place<Account, Line<Visitor>> } | null = null;

  constructor(account: Account, heights: readonly Height<Line<Visitor>>[]) {
    this.account = account;
    this.heights = [];
    for (const height of heights) this.mustPass(height);
  }

  mustPass(height: Height<Line<Visitor>>): void {
    if (this.heights.includes(height)) return;
    this.heights.push(height);
    height.lines += 1;
  }
}

/**
 * Those who wait. A connection passes several heights and takes its place at all of them at once, so nobody holds a place
 * at one while waiting for another, and nothing can lock up. A line stands at the widest height that is not open; where
 * several heights are full the widest decides who is next, by account.
 *
 * A height that opens lets lines pass in turn, and sends those that another height stops to stand there: to the widest,
 * of one account, no more than it has places free. So what a connection costs when it ends depends on how many accounts wait, not on
 * how many visitors or addresses.
 */
export class Crowd<Visitor> {
  readonly #clock: Clock;
  readonly #letIn: (line: Line<Visitor>, visitor: Visitor) => void;
  readonly #onEmpty: (line: Line<Visitor>) => void;

  /**
   * @param letIn takes the places of a visitor
   * @param onEmpty nobody waits in the line any more
   */
  constructor(
    clock: Clock,
    letIn: (line: Line<Visitor>, visitor: Visitor) => void,
    onEmpty: (line: Line<Visitor>) => void,
  ) {
    this.#clock = clock;
    this.#letIn = letIn;
    this.#onEmpty = onEmpty;
  }

  /** Waits at the end of a line. */
  add(line: Line<Visitor>, visitor: Visitor): void {
    line.visitors.add(visitor);
    if (line.standsAt !== null) return;
    const now = this.#clock.now();
    const stop = firstClosed(line, now);
    this.#stand(line, stop ?? line.heights[0], now);
    if (stop === undefined) this.serve(line.heights);
  }

  /** Waits no more. */
  remove(line: Line<Visitor>, visitor: Visitor): void {
    if (!line.visitors.delete(visitor) || line.visitors.size > 0) return;
    this.#disband(line);
    this.serve(line.heights);
  }

  /** Lets pass whom these heights let pass, after any of them may have opened. */
  serve(heights: Iterable<Height<Line<Visitor>>>): void {
    const due = new Set(heights);
    for (const height of due) {
      due.delete(height);
      this.#serveAt(height, due);
    }
  }

  #serveAt(height: Height<Line<Visitor>>, due: Set<Height<Line<Visitor>>>): void {
    const now = this.#clock.now();
    const sentOn = new Map<Account, number>();
    for (let line = height.next(); line !== null && height.opensAt <= now; line = height.next()) {
      this.#step(line);
      const stop = firstClosed(line, now);
      if (stop === undefined) {
        this.#admitFirst(line, height, now);
        continue;
      }
      this.#stand(line, stop, now);
      // It may have stood for others of its account at heights that are open.
      for (const other of line.heights) if (other !== height && other !== stop && other.next() !== null) due.add(other);
      // One that a narrower height stops leaves the place here to others.
      if (line.heights.indexOf(stop) > line.heights.indexOf(height)) continue;
      // What stops one line at a height that not all have to pass says nothing of the account's others.
      if (stop !== line.heights[0]) continue;
      const count = (sentOn.get(line.account) ?? 0) + 1;
      sentOn.set(line.account, count);
      if (count >= height.free(now)) height.passOver(line.account);
    }
    for (const account of sentOn.keys()) height.lineUp(account);
    this.#arm(height, now);
  }

  /** One goes in; the others of the line stand behind those of other accounts. */
  #admitFirst(line: Line<Visitor>, height: Height<Line<Visitor>>, now: number): void {
    const [visitor] = line.visitors;
    if (visitor !== undefined) {
      line.visitors.delete(visitor);
      this.#letIn(line, visitor);
    }
    if (line.visitors.size > 0) this.#stand(line, height, now);
    else this.#disband(line);
  }

  /** @param now when it was found closed: one that has opened since is to be looked at again, by its timer */
  #stand(line: Line<Visitor>, height: Height<Line<Visitor>> | undefined, now: number): void {
    if (height === undefined) return;
    line.standsAt = { height, place: height.join(line.account, line) };
    this.#arm(height, now);
  }

  #step(line: Line<Visitor>): void {
    if (line.standsAt === null) return;
    const { height, place } = line.standsAt;
    line.standsAt = null;
    height.leave(place);
  }

  #disband(line: Line<Visitor>): void {
    const height = line.standsAt?.height;
    this.#step(line);
    if (height !== undefined) this.#arm(height, this.#clock.now());
    for (const one of line.heights) one.lines -= 1;
    this.#onEmpty(line);
  }

  #arm(height: Height<Line<Visitor>>, now: number): void {
    height.arm(
      now,
      (delayMs, run) => this.#clock.after(delayMs, run),
      () => this.serve([height]),
    );
  }
}

/** The widest height that lets nobody pass now. */
function firstClosed<Visitor>(line: Line<Visitor>, now: number): Height<Line<Visitor>> | undefined {
  return line.heights.find((height) => height.opensAt > now);
}
