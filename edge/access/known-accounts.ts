import type { AccountClass } from '../../schema/shares.ts';
import type { Config } from '../base/config.ts';

// What an isolate remembers of accounts from one call to the next, besides what it remembers of their keys. It is memory
// alone, one for each set of variables, and may be forgotten at any time: D1 and the limiter are then asked again.

/** A class that was heard of longer ago is asked for anew: a purchase changes it. */
const CLASS_KNOWN_FOR_MS = 5_000;
/** Then one call asks; if nothing is heard of it for this long, another does. */
const ASKS_AGAIN_AFTER_MS = 2_000;
/** Of more accounts than these the one that was asked about first is forgotten. */
const ACCOUNTS_MAX = 10_000;

/** An account, the same object for as long as it is known: what others remember of it hangs on that. */
export class KnownAccount {
  readonly id: string;
  #class: AccountClass = 'free';
  #heardMs = -Infinity;
  #askedMs = -Infinity;

  constructor(id: string) {
    this.id = id;
  }

  /** Its class, or null if D1 has not said it lately. */
  classAt(nowMs: number): AccountClass | null {
    return Math.abs(nowMs - this.#heardMs) < CLASS_KNOWN_FOR_MS ? this.#class : null;
  }

  /** Its class as D1 said it last, however long ago. */
  get lastClass(): AccountClass {
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
}

export class KnownAccounts {
  readonly #max: number;
  readonly #accounts = new Map<string, KnownAccount>();

  constructor(max = ACCOUNTS_MAX) {
    this.#max = max;
  }

  of(id: string): KnownAccount {
    const known = this.#accounts.get(id);
    if (known !== undefined) return known;
    const account = new KnownAccount(id);
    this.#accounts.set(id, account);
    for (const [first] of this.#accounts) {
      if (this.#accounts.size <= this.#max) break;
      this.#accounts.delete(first);
    }
    return account;
  }
}

const byVariables = new WeakMap<Config, KnownAccounts>();

export function knownAccount(config: Config, id: string): KnownAccount {
  let accounts = byVariables.get(config);
  if (accounts === undefined) {
    accounts = new KnownAccounts();
    byVariables.set(config, accounts);
  }
  return accounts.of(id);
}
