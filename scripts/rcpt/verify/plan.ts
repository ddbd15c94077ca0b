import { priceOf, type Rcpt } from '../../../schema/client/index.ts';
import { explain } from '../failure/explain.ts';
import { Failure } from '../failure/failure.ts';
import type { Plan } from './figures.ts';
import type { OpenJournal } from './journal.ts';
import type { List } from './list.ts';
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
  const { emails, rows, unclear } = list;
  const known = new Set<string>();
  for (const [place, email] of emails.entries())
    if (journal !== null && (await journal.journal.known(place)) !== null) known.add(identityOf(email));
  const price = priceOf(emails);
  const unknown = known.size === 0 ? emails : emails.filter((email) => !known.has(identityOf(email)));
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
    addresses: emails.length,
    distinct: price.distinct,
    known: emails.length - unknown.length,
    creditsAtMost: unknown === emails ? price.atMost : priceOf(unknown).atMost,
    credits,
  };
}

/** A run that would break off is not begun, unless a ceiling says that this is wanted. @throws Failure */
export function checkCredits({ creditsAtMost, credits, maxCredits }: Plan): void {
  if (credits === null || Math.min(creditsAtMost, maxCredits ?? Infinity) <= credits) return;
  throw new Failure(
    'credits',
    `The account has ${several(credits, 'credit')}, and this may cost ${count(creditsAtMost)}. ` +
      `Buy credits, or verify a part with --max-credits ${credits}.`,
  );
}

/** Equal for spellings of one address, as the client has it. */
function identityOf(email: string): string {
  return email.trim().toLowerCase().normalize('NFC');
}
