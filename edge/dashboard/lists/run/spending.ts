import { signal } from '@preact/signals';
import type { Journal, Tally } from '../../../../schema/client/index.ts';
import { addCosts, type Cost, NO_COST } from '../../../../schema/client/journal/requests.ts';
import { type Price, priceOf } from '../../../../schema/list-job/price.ts';
import type { Results } from '../../../../schema/list-job/results.ts';

/** What a list has cost in all its runs, and what the next one may cost. */
export class Spending {
  readonly cost = signal<Cost>(NO_COST);
  price: Price = priceOf(0, () => true, { open: [], spent: NO_COST });

  async read(journal: Journal, results: Results): Promise<void> {
    const requests = await journal.requests();
    this.price = priceOf(results.size, (number) => results.kindOf(number) !== null, requests);
    this.cost.value = addCosts(requests.spent, { ...NO_COST, unconfirmed: this.price.open });
  }

  /** What the run that is under way says. */
  note({ read, charged, returned, unconfirmed }: Tally): void {
    // Before it has read its journal a run has spent nothing.
    if (read > 0) this.cost.value = { charged, returned, unconfirmed };
  }
}
