import { NO_COST } from '../../../schema/client/journal/requests.ts';
import type { Rcpt } from '../../../schema/client/index.ts';
import { priceOf } from '../../../schema/list-job/price.ts';
import { pickSample } from '../../../schema/list-job/sample.ts';
import { explain } from '../failure/explain.ts';
import { Failure } from '../failure/failure.ts';
import type { Plan } from './figures.ts';
import type { List } from './list.ts';
import type { OpenJournal } from './places.ts';
import { count, several as counted } from '../words/words.ts';

type Subject = Pick<Plan, 'input' | 'column' | 'rounds' | 'maxCredits' | 'sample'> & { readonly list: List };
/** `numbers`: the addresses that are asked; null: all of them. */
type Planned = { readonly plan: Plan; readonly numbers: readonly number[] | null };

/**
 * What a run costs at most, and what the account has. Nothing is asked about an address, and it costs nothing.
 * @param client null: the account is not asked
 * @throws Failure
 */
export async function planOf(
  { list, ...wanted }: Subject,
  journal: OpenJournal | null,
  client: Rcpt | null,
  signal: AbortSignal,
): Promise<Planned> {
  const { rows, addresses, duplicates, several, none, excluded } = list.scan.totals;
  const isKnown = (number: number): boolean => journal?.has(number) ?? false;
  const price = priceOf(addresses, isKnown, (await journal?.journal.requests()) ?? { open: [], spent: NO_COST });
  const isPart = wanted.sample !== null && wanted.sample < price.left;
  const numbers = isPart ? pickSample(wanted.sample ?? 0, addresses, isKnown, price) : null;
  let known = 0;
  for (let row = 0; row < rows; row += 1) if (isKnown(list.scan.numberOf(row) ?? -1)) known += 1;
  const credits =
    client === null
      ? null
      : await client.credits({ signal }).catch((error: unknown) => {
          throw signal.aborted ? error : explain(error);
        });
  const plan = {
    ...wanted,
    rows,
    unwanted: list.unwanted,
    unclear: several,
    none,
    excluded: excluded - list.unwanted,
    addresses: addresses + duplicates,
    distinct: addresses,
    known,
    knownDistinct: addresses - price.left,
    sample: numbers?.length ?? null,
    creditsAtMost: numbers?.length ?? price.left,
    creditsAtMostForAll: price.left,
    credits,
    spent: price.spent,
  };
  return { plan, numbers };
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
