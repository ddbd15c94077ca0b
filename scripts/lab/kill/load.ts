import * as z from 'zod';
import type { Random } from './random.ts';
import { QUICK_ADDRESSES } from '../../sandbox/quick-addresses.ts';

// Callers who verify batches one after the other, whatever happens to the service, and remember every answer that they
// got to its end.

export type Customer = { readonly accountId: string; readonly key: string };

/** An answer of 200 that came whole. */
export type Answered = {
  readonly batchId: string;
  readonly accountId: string;
  /** What its results cost; more than one figure if a result does not tell. */
  readonly price: { readonly least: number; readonly most: number };
};

export type Load = {
  /** Ends the callers and waits for the batches that they have out. */
  readonly stop: () => Promise<void>;
  readonly answered: readonly Answered[];
  /** Answers of 500: whole, and nothing charged. */
  readonly failed: ReadonlySet<string>;
  /** How many calls ended without a whole answer. */
  readonly brokenOff: () => number;
};

const BATCH_MAX = 6;
const ANSWERED_WITHIN_MS = 15_000;
const AFTER_FAILURE_MS = 50;

/** What of an answer tells its price. */
export const resultsSchema = z.array(
  z.object({ email: z.string(), result: z.string(), reason: z.string().nullable() }),
);
type Results = z.infer<typeof resultsSchema>;

/** Starts the callers, each with a customer in turn. */
export function startLoad(url: string, customers: readonly Customer[], callers: number, random: Random): Load {
  const answered: Answered[] = [];
  const failed = new Set<string>();
  let brokenOff = 0;
  const end = new AbortController();
  const call = async (customer: Customer): Promise<void> => {
    const emails = Array.from({ length: random.whole(1, BATCH_MAX) }, () => random.oneOf(QUICK_ADDRESSES));
    try {
      const answer = await fetch(new URL('/api/v1/verify', url), {
        method: 'POST',
        headers: { authorization: `Bearer ${customer.key}` },
        body: JSON.stringify({ emails }),
        signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      });
      const body: unknown = await answer.json();
      const batchId = answer.headers.get('x-request-id') ?? '';
      if (answer.status === 500) failed.add(batchId);
      else if (answer.status === 200) {
        const results = resultsSchema.length(emails.length).parse(body);
        answered.push({ batchId, accountId: customer.accountId, price: priceOf(results) });
      } else throw new Error(`Status ${answer.status}: ${JSON.stringify(body)}`);
    } catch (error) {
      if (isSurprise(error)) throw error;
      brokenOff += 1;
      await new Promise((wake) => setTimeout(wake, AFTER_FAILURE_MS));
    }
  };
  const lanes = Array.from({ length: callers }, async (_, lane) => {
    const customer = customers[lane % customers.length];
    if (customer === undefined) throw new Error('A load without customers');
    while (!end.signal.aborted) await call(customer);
  });
  const ended = Promise.all(lanes);
  // Looked at when the load is stopped.
  ended.catch(() => {});
  return {
    answered,
    failed,
    brokenOff: () => brokenOff,
    async stop() {
      end.abort();
      await ended;
    },
  };
}

/** A call that broke off is what we are here for; an answer that nobody should get is not. */
function isSurprise(error: unknown): boolean {
  return error instanceof z.ZodError || (error instanceof Error && error.message.startsWith('Status '));
}

const RETURNED: ReadonlySet<string | null> = new Set([
  'policy_rejected',
  'no_banner',
  'ehlo_rejected',
  'mail_from_rejected',
]);

/** The interface's price: each probed address once, nothing for what is not an address or was refused to us. */
export function priceOf(results: Results): Answered['price'] {
  const distinct = new Map(results.map((item) => [item.email, item]));
  const price = { least: 0, most: 0 };
  for (const { result, reason } of distinct.values()) {
    if (reason === 'invalid_syntax' || (result === 'unknown' && RETURNED.has(reason))) continue;
    price.most += 1;
    // Not probed at all, or cut off by the deadline: only the first is free, and both look like this.
    if (result !== 'unknown' || reason !== 'timeout') price.least += 1;
  }
  return price;
}
