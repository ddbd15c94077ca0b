import { type Explanation } from '../../../../schema/words/reasons.ts';
import type { Open } from '../../../../schema/words/open.ts';
import type { Status } from '../../../../schema/words/verdicts.ts';

// Addresses with what is known of each, as people look through them: results that are equal in words are one group.

export type Group = {
  /** Null: there is no answer yet. */
  readonly status: Open<Status> | null;
  readonly title: string;
  readonly advice: string;
  /** How many addresses are in it. */
  readonly size: number;
};

/** What can be looked through. */
export type Findings = {
  readonly size: number;
  readonly groups: readonly Group[];
  readonly addressOf: (index: number) => string;
  /** Its place in `groups`. */
  readonly groupOf: (index: number) => number;
};

/** What is said of an address without an answer. */
export const UNANSWERED = {
  title: 'Not asked yet',
  advice: 'It was not asked yet, and has cost nothing.',
} as const;

/** Groups as they are found, each with its number. */
export class Groups {
  readonly #groups: Group[] = [];
  readonly #numbers = new Map<string, number>();

  get all(): readonly Group[] {
    return this.#groups;
  }

  /**
   * Counts addresses into the group of their words.
   * @returns its number
   */
  add(status: Group['status'], { title, advice }: Pick<Explanation, 'title' | 'advice'>, addresses: number): number {
    const words = JSON.stringify([status, title, advice]);
    const number = this.#numbers.get(words) ?? this.#groups.length;
    const size = (this.#groups[number]?.size ?? 0) + addresses;
    this.#groups[number] = { status, title, advice, size };
    this.#numbers.set(words, number);
    return number;
  }
}
