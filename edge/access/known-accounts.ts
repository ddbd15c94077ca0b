import { keepLatest } from '../../schema/keep-latest.ts';
import type { AccountClass } from '../../schema/shares.ts';
import type { Config } from '../base/config.ts';
import type { Bearer } from './known-keys.ts';

// What an isolate remembers of accounts from one call to the next, besides what it remembers of their keys. It is memory
// alone, one for each set of variables, and may be forgotten at any time: D1 and the limiter are then asked again.

/** A class that was heard of longer ago is asked for anew: a purchase changes it. */
const CLASS_KNOWN_FOR_MS = 5_000;
/** Then one call asks; if nothing is heard of it for this long, another does. */
const ASKS_AGAIN_AFTER_MS = 2_000;
/** Of more accounts than these the one that was asked about first is forgotten. */
const ACCOUNTS_MAX = 10_000;

/** The account behind one or more keys. */
export class KnownAccount {
  #class: AccountClass | null = null;
  #heardMs = -Infinity;
  #askedMs = -Infinity;
  /** The calls of all its keys in a window, as its limiter last told. */
  #calls = { used: 0, untilMs: -Infinity };

  /** Its class, or null if D1 has not said it lately. */
  classAt(nowMs: number): AccountClass | null {
    return Math.abs(nowMs - this.#heardMs) < CLASS_KNOWN_FOR_MS ? this.#class : null;
  }

  /** Its class as D1 said it last, however long ago; null if it never did. */
  get lastClass(): AccountClass | null {
    return this.#class;
  }

  /** Whether this very call is to ask D1 about it. */
  isToBeHeard(nowMs: number): boolean {
    if (this.classAt(nowMs) !== null || Math.abs(nowMs - this.#askedMs) < ASKS_AGAIN_AFTER_MS) return false;
    this.#askedMs = nowMs;
    return true;
  }

  hear(accountClass: AccountClass, nowMs: number): void {
    this.#class = accountClass;
    this.#heardMs = nowMs;
  }

  /** Of answers that overtake each other the one counts that tells of more. */
  noteCalls(used: number, untilMs: number, nowMs: number): void {
    if (nowMs >= this.#calls.untilMs || used > this.#calls.used) this.#calls = { used, untilMs };
  }

  /** How long it is known to have made `limit` calls or more; 0 or less if it has not. */
  usedUpForMs(limit: number, nowMs: number): number {
    return this.#calls.used >= limit ? this.#calls.untilMs - nowMs : 0;
  }
}

/** By the names of their limiters. */
export class KnownAccounts {
  readonly #max: number;
  readonly #accounts = new Map<string, KnownAccount>();

  constructor(max = ACCOUNTS_MAX) {
    this.#max = max;
  }

  of(limiter: string): KnownAccount {
    const known = this.#accounts.get(limiter);
    if (known !== undefined) return known;
    const account = new KnownAccount();
    keepLatest(this.#accounts, limiter, account, this.#max);
    return account;
  }
}

const byVariables = new WeakMap<Config, KnownAccounts>();

/** What is known of the account behind a key, by the key's own text. */
export function knownAccount(config: Config, { limiter }: Bearer): KnownAccount {
  const accounts = byVariables.get(config) ?? new KnownAccounts();
  byVariables.set(config, accounts);
  return accounts.of(limiter);
}
