import { signal } from '@preact/signals';
import type { Journal, Tally } from '../../../../schema/client/index.ts';
import { addCosts, type Cost, NO_COST } from '../../../../schema/client/journal/requests.ts';
import type { ListResults } from './list-results.ts';

/** What a list has cost in all its runs, and what the next one may cost. */
export class Spending {
  readonly cost = signal<Cost>(NO_COST);
  /** Of requests that have ended, by the journal. */
  #spent = 0;
  /** In requests whose bill was not read, and those of them that have no answer. */
  #open = 0;
  #unanswered = 0;

  /** The bill of a request was not read: asking for it again costs nothing. */
  get isUnsettled(): boolean {
    return this.#open > 0;
  }

  async read(journal: Journal, results: ListResults): Promise<void> {
    const { open, spent } = await journal.requests();
    const entries = open.flatMap((request) => request.entries);
    this.#open = entries.length;
    this.#unanswered = entries.filter(({ index }) => results.kindOf(index) === null).length;
    this.#spent = spent.charged + spent.unsure;
    this.cost.value = addCosts(spent, { ...NO_COST, unsure: this.#open });
  }

  /** What the run that is under way says. */
  note({ read, charged, returned, unsure }: Tally): void {
    // Before it has read its journal a run has spent nothing.
    if (read > 0) this.cost.value = { charged, returned, unsure };
  }

  /**
   * The price of the whole list, as the client counts it: what is spent, what is in open requests, and what was never asked.
   * @param left addresses without an answer
   * @param again how many are asked again
   */
  ceiling(left: number, again: number): number {
    return this.#spent + this.#open + left - this.#unanswered + again;
  }
}
