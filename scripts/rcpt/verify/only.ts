import { type Column, replacedIn } from '../../../schema/lists/columns/result-columns.ts';
import { isTurnedAway, REASONS } from '../../../schema/words/reasons.ts';
import { STATUSES } from '../../../schema/words/verdicts.ts';
import { Failure } from '../failure/failure.ts';
import { several } from '../words/words.ts';

/** Statuses of rows, or `none` of those without one. A newer service has more. */
export const WANTED: readonly string[] = [...STATUSES, 'none'];

/** Which rows of an earlier output are asked again: those of a status, or of a reason. */
export class Only {
  readonly #words: ReadonlySet<string>;
  readonly #cellOf: (cells: readonly string[], column: Column) => string;
  /** Words that no row has had so far, of a newer service or mistyped. */
  readonly #unseen: Set<string>;
  /** Rows of these statuses that another try cannot change, by their reason. */
  readonly #turnedAway = new Map<string, number>();

  /** @param names of the columns. @throws Failure if this is no earlier output */
  constructor(words: ReadonlySet<string>, names: readonly string[]) {
    const layout = replacedIn(names);
    if (layout === null) throw new Failure('usage', '--only needs an earlier output, with its column rcpt_status.');
    this.#words = words;
    this.#cellOf = (cells, column) => (cells[layout.places[layout.columns.indexOf(column)] ?? -1] ?? '').trim();
    this.#unseen = new Set([...words].filter((word) => ![...WANTED, ...REASONS].includes(word)));
  }

  isWanted(cells: readonly string[]): boolean {
    const status = this.#cellOf(cells, 'status') || 'none';
    const reason = this.#cellOf(cells, 'reason');
    for (const word of [status, reason]) this.#unseen.delete(word);
    if (this.#words.has(reason)) return true;
    if (!this.#words.has(status)) return false;
    if (!isTurnedAway(reason) || this.#cellOf(cells, 'retry_after') !== '') return true;
    this.#turnedAway.set(reason, (this.#turnedAway.get(reason) ?? 0) + 1);
    return false;
  }

  /** To be called after the last row. @throws Failure for a word that no row has */
  checkWords(): void {
    for (const word of this.#unseen)
      throw new Failure('usage', `--only ${word}: no row has this status or reason. Known are ${WANTED.join(', ')}.`);
  }

  /** What is said of the rows that are not asked again; null: nothing. */
  get note(): string | null {
    const reasons = [...this.#turnedAway];
    const [first] = this.#turnedAway.keys();
    if (first === undefined) return null;
    const rows = reasons.reduce((sum, [, each]) => sum + each, 0);
    const each = reasons.map(([reason, count]) => `${reason} ${count.toLocaleString('en-US')}`).join(', ');
    return `${several(rows, 'row')} not asked again, because servers that turn us away rarely change that: ${each}. To ask them too, name the reason, as in --only ${first}.`;
  }
}
