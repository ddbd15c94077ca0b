import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Asker, FairSemaphore, type Permit, type Release } from './fair-semaphore.ts';

const never = new AbortController().signal;
const asker = (account: string): Asker<string> => ({ account });

/** Requests under way: what each was told, as soon as it was told. */
class Requests {
  readonly semaphore: FairSemaphore<string>;
  readonly given: string[] = [];
  readonly #releases = new Map<string, Release>();

  constructor(permits: number) {
    this.semaphore = new FairSemaphore('look-ups', permits);
  }

  /** @param name the account is its first letter */
  ask(name: string, signal = never): void {
    const permit = this.semaphore.acquire(asker(name.charAt(0)), signal);
    const recordPermit = (told: Permit): void => {
      if (told === 'aborted') return;
      this.given.push(name);
      this.#releases.set(name, told);
    };
    if (permit instanceof Promise) void permit.then(recordPermit);
    else recordPermit(permit);
  }

  async release(name: string): Promise<void> {
    this.#releases.get(name)?.();
    await Promise.resolve();
  }
}

describe('FairSemaphore', () => {
  it('gives places at once while there are any, and the next in order of asking', async () => {
    const requests = new Requests(4);
    for (const name of ['a1', 'a2', 'a3', 'a4']) requests.ask(name);
    expect(requests.given).toEqual(['a1', 'a2']);
    await requests.release('a2');
    await requests.release('a1');
    expect(requests.given).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('gives the next place to an account that holds fewer, however many of another wait', async () => {
    const requests = new Requests(4);
    for (let i = 1; i <= 1_000; i += 1) requests.ask(`a${i}`);
    requests.ask('b1');
    requests.ask('b2');
    await requests.release('a1');
    await requests.release('b1');
    await requests.release('a2');
    expect(requests.given).toEqual(['a1', 'a2', 'b1', 'b2', 'a3', 'a4']);
  });

  it('serves accounts that hold as many one after the other', async () => {
    const requests = new Requests(1);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) requests.ask(name);
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await requests.release(name);
    expect(requests.given).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('keeps half of the places from an account that is alone so that a newcomer waits for nobody', () => {
    const requests = new Requests(8);
    for (let i = 1; i <= 20; i += 1) requests.ask(`a${i}`);
    expect(requests.given).toHaveLength(4);
    requests.ask('b1');
    requests.ask('c1');
    expect(requests.given.slice(4)).toEqual(['b1', 'c1']);
  });

  it('forgets who was aborted, and keeps no listener', async () => {
    const requests = new Requests(1);
    const abort = new AbortController();
    requests.ask('a1');
    requests.ask('b1', abort.signal);
    requests.ask('c1');
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    abort.abort();
    expect(requests.semaphore.accounts).toBe(2);
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(0);
    await requests.release('a1');
    expect(requests.given).toEqual(['a1', 'c1']);
    expect(requests.semaphore.acquire(asker('d'), abort.signal)).toBe('aborted');
  });

  it('keeps no listener on the signal of who was served, and takes a place back once', async () => {
    const semaphore = new FairSemaphore<string>('look-ups', 1);
    const { signal } = new AbortController();
    const first = semaphore.acquire(asker('a'), signal);
    const second = semaphore.acquire(asker('a'), signal);
    if (typeof first !== 'function') throw new Error('the first place was not given at once');
    first();
    const release = await second;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    first();
    expect(semaphore.held).toBe(1);
    if (release !== 'aborted') release();
    expect([semaphore.held, semaphore.accounts]).toEqual([0, 0]);
  });
});

type Pending = { readonly account: string; readonly number: number; readonly abort: AbortController };

/** A host's history in small steps; what holds after each is checked by `check`. */
class History {
  readonly semaphore: FairSemaphore<string>;
  readonly waiting: Pending[] = [];
  readonly holding: Array<Pending & { readonly release: Release }> = [];
  readonly #accounts: string;
  readonly #permits: number;
  #asked = 0;

  constructor(accounts: string, permits: number) {
    this.semaphore = new FairSemaphore('look-ups', permits);
    this.#accounts = accounts;
    this.#permits = permits;
  }

  async step([what, who]: readonly ['take' | 'release' | 'abort', number]): Promise<void> {
    if (what === 'take') this.#acquire(this.#accounts.charAt(who % 4));
    else if (what === 'release') this.holding.splice(who % Math.max(1, this.holding.length), 1)[0]?.release();
    else this.waiting.splice(who % Math.max(1, this.waiting.length), 1)[0]?.abort.abort();
    await Promise.resolve();
    this.check();
  }

  #acquire(account: string): void {
    const pending: Pending = { account, number: (this.#asked += 1), abort: new AbortController() };
    const permit = this.semaphore.acquire(asker(account), pending.abort.signal);
    this.waiting.push(pending);
    const recordPermit = (told: Permit): void => {
      if (told === 'aborted') return;
      const first = this.waiting.find((other) => other.account === account);
      expect(first?.number, 'within an account: first come, first served').toBe(pending.number);
      for (const other of new Set(this.waiting.map((one) => one.account)))
        expect(this.held(other), 'nobody with fewer places waits').toBeGreaterThanOrEqual(this.held(account));
      this.waiting.splice(this.waiting.indexOf(pending), 1);
      this.holding.push({ ...pending, release: told });
    };
    if (permit instanceof Promise) void permit.then(recordPermit);
    else recordPermit(permit);
  }

  held(account: string): number {
    return this.holding.filter((one) => one.account === account).length;
  }

  check(): void {
    const free = this.#permits - this.holding.length;
    expect(free).toBeGreaterThanOrEqual(0);
    expect(this.semaphore.held).toBe(this.holding.length);
    const names = new Set([...this.waiting, ...this.holding].map((one) => one.account));
    expect(this.semaphore.accounts, 'nobody else is remembered').toBe(names.size);
    for (const { account } of this.waiting)
      expect(this.held(account), 'who waits holds as many as are free').toBeGreaterThanOrEqual(free);
  }
}

describe('after any history of a semaphore', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('take', 'take', 'release', 'abort'), fc.nat(1_000)), {
    maxLength: 120,
  });

  it('the bound holds and places are fair', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), steps, async (bound, taken) => {
        const history = new History('abcd', bound);
        for (const step of taken) await history.step(step);
        while (history.holding.length > 0) await history.step(['release', 0]);
        expect([history.waiting.length, history.semaphore.accounts]).toEqual([0, 0]);
      }),
    );
  });
});
