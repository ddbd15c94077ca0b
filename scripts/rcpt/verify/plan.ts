import { NO_COST } from '../../../schema/client/journal/requests.ts';
import type { Rcpt } from '../../../schema/client/index.ts';
import { explain } from '../failure/explain.ts';
import { Failure } from '../failure/failure.ts';
import type { Plan } from './figures.ts';
import type { List } from './list.ts';
import type { OpenJournal } from './places.ts';
import { count, several } from '../words/words.ts';

/**
 * What a run costs at most, and what the account has. Nothing is asked about an address, and it costs nothing.
 * @param client null: the account is not asked
 * @throws Failure
 */
export async function planOf(
  { list, ...wanted }: Pick<Plan, 'input' | 'column' | 'rounds' | 'maxCredits'> & { readonly list: List },
  journal: OpenJournal | null,
  client: Rcpt | null,
  signal: AbortSignal,
): Promise<Plan> {
  const { rows, unclear, excluded, addresses } = list;
  const { spent } = (await journal?.journal.requests()) ?? { spent: NO_COST };
  const known = { rows: 0, distinct: 0 };
  let creditsAtMost = 0;
  for (let place = 0; place < addresses.size; place += 1) {
    const isKnown = journal?.has(addresses.firstOf(place)) ?? false;
    if (isKnown) known.rows += 1;
    if (!addresses.isFirst(place)) continue;
    if (isKnown) known.distinct += 1;
    else if (addresses.mayCost(place)) creditsAtMost += 1;
  }
  const credits =
    client === null
      ? null
      : await client.credits({ signal }).catch((error: unknown) => {
          throw signal.aborted ? error : explain(error);
        });
  return {
    ...wanted,
    rows,
    unclear,
    excluded,
    addresses: addresses.size,
    distinct: addresses.distinct,
    known: known.rows,
    knownDistinct: known.distinct,
    creditsAtMost,
    credits,
    spent: spent.charged + spent.unsure,
  };
}

/** A run that would break off is not begun, unless a ceiling says that this is wanted. @throws Failure */
export function checkCredits({ creditsAtMost, credits, maxCredits, spent }: Plan): void {
  if (credits === null || Math.min(creditsAtMost, (maxCredits ?? Infinity) - spent) <= credits) return;
  const part = credits === 0 ? '.' : `, or verify a part with --max-credits ${spent + credits}.`;
  throw new Failure(
    'credits',
    `The account has ${several(credits, 'credit')}, and this may cost ${count(creditsAtMost)}. Buy credits${part}`,
  );
}
