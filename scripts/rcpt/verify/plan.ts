import { NO_COST } from '../../../schema/client/journal/requests.ts';
import type { Rcpt } from '../../../schema/client/index.ts';
import { explain } from '../failure/explain.ts';
import { Failure } from '../failure/failure.ts';
import type { Plan } from './figures.ts';
import type { List } from './list.ts';
import type { OpenJournal } from './places.ts';
import { count, several as counted } from '../words/words.ts';

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
  const { rows, addresses, duplicates, several, none, excluded } = list.scan.totals;
  const { spent } = (await journal?.journal.requests()) ?? { spent: NO_COST };
  const known = { rows: 0, distinct: 0 };
  const isKnown = (number: number): boolean => journal?.has(number) ?? false;
  for (let number = 0; number < addresses; number += 1) if (isKnown(number)) known.distinct += 1;
  for (let row = 0; row < rows; row += 1) if (isKnown(list.scan.numberOf(row) ?? -1)) known.rows += 1;
  const credits =
    client === null
      ? null
      : await client.credits({ signal }).catch((error: unknown) => {
          throw signal.aborted ? error : explain(error);
        });
  return {
    ...wanted,
    rows,
    unwanted: list.unwanted,
    unclear: several,
    none,
    excluded: excluded - list.unwanted,
    addresses: addresses + duplicates,
    distinct: addresses,
    known: known.rows,
    knownDistinct: known.distinct,
    creditsAtMost: addresses - known.distinct,
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
    `The account has ${counted(credits, 'credit')}, and this may cost ${count(creditsAtMost)}. Buy credits${part}`,
  );
}
