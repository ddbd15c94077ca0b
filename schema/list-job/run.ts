import type { Journal, Rcpt, Tally } from '../client/index.ts';
import type { VerifyOptions } from '../client/run/options.ts';
import type { RowResult } from '../lists/columns/result-columns.ts';
import type { Results } from './results.ts';
import { partOf } from './sample.ts';

export type Run = {
  readonly client: Rcpt;
  /** Of the list, each once. */
  readonly addresses: readonly string[];
  /** Those that are asked, of a sample; null: all of them. */
  readonly numbers: readonly number[] | null;
  readonly journal: Journal | null;
  /** Gets what is learnt, and what the journal knew. */
  readonly results: Results;
  readonly options: Omit<VerifyOptions, 'journal'>;
  /** Lets the page do something else, now and then. */
  readonly breathe?: () => Promise<void>;
};

/** A run of a list. */
export type Running = {
  /** How far it is. */
  readonly tally: Tally;
  /** Asks, to the end. To be called once. @throws what the client throws; the reason of the signals */
  readonly gather: () => Promise<void>;
};

/**
 * Asks for the addresses of a list.
 * @param onResult hears of each result, with the number of its address
 */
export function runList(run: Run, onResult: (number: number, result: RowResult) => void = () => {}): Running {
  const { client, addresses, numbers, results, options, breathe } = run;
  const journal = run.journal === null || numbers === null ? run.journal : partOf(run.journal, numbers);
  const emails = numbers === null ? addresses : numbers.map((number) => addresses[number] ?? '');
  const verification = client.verifyAll(streamOf(emails, breathe), { ...options, journal: journal ?? undefined });
  const gather = async (): Promise<void> => {
    for await (const item of verification) {
      const number = numbers === null ? item.index : (numbers[item.index] ?? -1);
      results.set(number, item);
      onResult(number, item);
      await breathe?.();
    }
  };
  return {
    gather,
    get tally() {
      return verification.tally;
    },
  };
}

/** Each address stands in it once, so that the client need not look for duplicates again. */
async function* streamOf(emails: readonly string[], breathe: Run['breathe']): AsyncGenerator<string, undefined> {
  for (const email of emails) {
    yield email;
    await breathe?.();
  }
}
